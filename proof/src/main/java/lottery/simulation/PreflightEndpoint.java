package lottery.simulation;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.activity.AudienceDefinitionValidator;
import lottery.activity.ScheduledDrawValidator;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;
import lottery.fairness.PublicRandomness;
import lottery.problem.RefusalTexts;
import lottery.rule.ActivityPreflight;
import lottery.rule.ActivityPreflight.Concern;
import lottery.rule.ActivityPreflight.Severity;
import lottery.rule.CompiledStrategy;
import lottery.simulation.SimulationQueue.SimulationPermit;
import lottery.strategy.StrategyCache;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Checks over REST whether an activity is ready for submission, and simulates it. Nothing is stored. */
@RestController
@Tag(name = "Preflight", description = "The check of an activity before it is submitted.")
class PreflightEndpoint {

    record PreflightReport(
            boolean ready,
            List<PreflightFinding> findings,
            @Nullable PreflightForecast expected) {}

    record PreflightFinding(String pointer, FlawKind code, Severity severity, String message) {}

    /**
     * The expected cost of the draws, or of the entries of a pool.
     *
     * @param soldOut a forecast for each limited award; empty if the activity is drawn at one time
     */
    record PreflightForecast(
            int draws, int users, int days, int runs, long seed, Spread cost, List<ExpectedSellOut> soldOut) {

        static PreflightForecast of(Forecast forecast) {
            return new PreflightForecast(
                    forecast.draws(),
                    forecast.users(),
                    forecast.days(),
                    forecast.runs(),
                    forecast.seed(),
                    forecast.cost(),
                    forecast.awards().stream()
                            .flatMap(award -> ExpectedSellOut.of(award, forecast.runs()).stream())
                            .toList());
        }
    }

    /**
     * The chance that an award sells out before the end of the activity.
     *
     * @param chance the share of the runs in which it sold out
     * @param onDay the day on which it sold out in these runs, counted from 1
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ExpectedSellOut(
            int awardId,
            String title,
            String chance,
            @Nullable Spread onDay) {

        private static final BigDecimal LIKELY = new BigDecimal("0.5");

        static Optional<ExpectedSellOut> of(Forecast.AwardForecast award, int runs) {
            return Optional.ofNullable(award.soldOut())
                    .map(soldOut -> new ExpectedSellOut(
                            award.awardId(), award.title(), Spread.share(soldOut.runs(), runs), soldOut.onDay()));
        }

        Stream<Concern> concern() {
            return new BigDecimal(chance).compareTo(LIKELY) < 0
                    ? Stream.empty()
                    : Stream.of(new Concern(
                            new SubmissionFlaw(
                                    "/strategyId", FlawKind.AWARD_SELLS_OUT, "%d: %s".formatted(awardId, chance)),
                            Severity.WARNS));
        }
    }

    private final ActivityCache activities;
    private final AudienceDefinitionValidator audiences;
    private final StrategyCache strategies;
    private final SimulationQueue simulations;
    private final PublicRandomness beacon;
    private final RefusalTexts texts;
    private final InstantSource clock;
    private final RandomGenerator random;

    PreflightEndpoint(
            ActivityCache activities,
            AudienceDefinitionValidator audiences,
            StrategyCache strategies,
            SimulationQueue simulations,
            PublicRandomness beacon,
            RefusalTexts texts,
            InstantSource clock,
            RandomGenerator random) {
        this.activities = activities;
        this.audiences = audiences;
        this.strategies = strategies;
        this.simulations = simulations;
        this.beacon = beacon;
        this.texts = texts;
        this.clock = clock;
        this.random = random;
    }

    @Operation(summary = "Check whether an activity is ready", description = """
                    Returns what prevents the activity from being submitted, the warnings, and the expected cost. For
                    the cost it simulates the draws, or the entries of a pool, of the given users; the body is optional.
                    It stores nothing, and the same `seed` gives the same forecast. It simulates at most 10,000,000
                    draws, for at most 30 seconds.""")
    @PostMapping("/api/v1/activities/{activityId}/preflight")
    PreflightReport checkActivity(
            @PathVariable ActivityId activityId,
            @Valid @RequestBody(required = false) @Nullable PreflightRequest form,
            Locale locale) {
        ActivityProgress progress = activities.find(activityId).orThrow();
        ActivityDefinition activity = progress.definition();
        SimulationPlan plan = Objects.requireNonNullElse(form, PreflightRequest.USUAL)
                .plan(activity, random)
                .orThrow();
        Optional<CompiledStrategy> rules = strategies.find(activity.strategyId());
        Optional<PreflightForecast> expected =
                rules.map(known -> activity.draw() == null ? played(known, plan) : drawnAtOneTime(known, plan));
        List<Concern> concerns = new ArrayList<>(ActivityPreflight.concerns(activity, rules, clock.instant()));
        ScheduledDrawValidator.unfit(progress, rules, beacon).stream()
                .map(flaw -> new Concern(flaw, Severity.REFUSES))
                .forEach(concerns::add);
        audiences
                .flaw(activityId, activity)
                .map(flaw -> new Concern(flaw, Severity.REFUSES))
                .ifPresent(concerns::add);
        expected.stream()
                .flatMap(known -> known.soldOut().stream())
                .flatMap(ExpectedSellOut::concern)
                .forEach(concerns::add);
        return new PreflightReport(
                concerns.stream().noneMatch(concern -> concern.severity() == Severity.REFUSES),
                concerns.stream().map(concern -> found(concern, locale)).toList(),
                expected.orElse(null));
    }

    private PreflightForecast played(CompiledStrategy rules, SimulationPlan plan) {
        try (SimulationPermit permit = simulations.enter(rules).orThrow()) {
            return PreflightForecast.of(permit.play(plan, _ -> true).orThrow());
        }
    }

    /**
     * Returns the forecast of an activity that is drawn at one time. It reports no sell-outs, because a pool is meant
     * to use up its awards.
     */
    private PreflightForecast drawnAtOneTime(CompiledStrategy rules, SimulationPlan plan) {
        List<SimulationRunResult> courses;
        try (SimulationPermit _ = simulations.enter(rules).orThrow()) {
            courses = PoolSimulation.play(rules, plan);
        }
        return new PreflightForecast(
                plan.draws(),
                plan.users(),
                plan.days(),
                plan.runs(),
                plan.seed(),
                Spread.of(courses, SimulationRunResult::cost),
                List.of());
    }

    private PreflightFinding found(Concern concern, Locale locale) {
        SubmissionFlaw finding = concern.finding();
        return new PreflightFinding(
                finding.pointer(), finding.flaw(), concern.severity(), texts.finding(finding, locale));
    }
}
