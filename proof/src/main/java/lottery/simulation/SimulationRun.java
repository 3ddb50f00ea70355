package lottery.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.Blacklist;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.rule.DrawSituation;
import org.jspecify.annotations.Nullable;

/**
 * One run of an activity from its first draw to its last. It follows the rules of real draws, and begins with full
 * stocks. No user in it is on the blacklist.
 */
final class SimulationRun {

    /**
     * The number of draws between two checks whether to continue. These draws together take less than a millisecond.
     */
    static final int STRIDE = 1_024;

    private final CompiledStrategy rules;
    private final SimulationPlan plan;
    private final SimulatedRandomness randomness;
    private final UserId somebody;
    private final Map<Integer, SimulatedStock> stocks = new LinkedHashMap<>();

    /** How often each user has won each award that has a limit per user. */
    private final Map<Integer, Map<Integer, Integer>> limitedWins = new HashMap<>();

    private Set<Integer> soldOut = Set.of();
    private int fallbacks;
    private int nothings;

    SimulationRun(CompiledStrategy rules, SimulationPlan plan, SimulatedRandomness randomness) {
        // The rules object caches the odds that were used last. A simulation has a rules object of its own, so that it
        // does not replace the cached odds of real draws.
        this.rules = CompiledStrategy.assemble(rules.strategyId(), rules.version(), rules.definition());
        this.plan = plan;
        this.randomness = randomness;
        this.somebody = somebodyNotOn(rules.definition().blacklist());
        rules.definition().awards().forEach(award -> stocks.put(award.awardId(), new SimulatedStock(award)));
    }

    private static UserId somebodyNotOn(@Nullable Blacklist blacklist) {
        Set<UserId> listed = blacklist == null ? Set.of() : new HashSet<>(blacklist.users());
        return IntStream.iterate(1, number -> number + 1)
                .mapToObj(number -> new UserId("somebody-" + number))
                .filter(user -> !listed.contains(user))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Plays the run and returns its result.
     *
     * @param goesOn gets the number of draws since its last call, and returns whether to continue
     * @return empty if the run was stopped
     */
    Optional<SimulationRunResult> play(IntPredicate goesOn) {
        int draw = 0;
        while (draw < plan.draws()) {
            int end = Math.min(draw + STRIDE, plan.draws());
            int made = end - draw;
            while (draw < end) {
                draw(draw);
                draw++;
            }
            if (!goesOn.test(made)) {
                return Optional.empty();
            }
        }
        List<SimulationRunResult.GivenAward> given =
                stocks.values().stream().map(SimulatedStock::given).toList();
        return Optional.of(new SimulationRunResult(given, fallbacks, nothings));
    }

    private void draw(int draw) {
        Map<Integer, Integer> wins =
                rules.hasLimitsPerUser() ? limitedWins.getOrDefault(plan.userOf(draw), Map.of()) : Map.of();
        DrawDecision decision = rules.decide(situation(draw, rules.reached(wins)), randomness);
        switch (decision.outcome()) {
            case WON -> {}
            case FALLBACK -> fallbacks++;
            case NOTHING -> nothings++;
        }
        AwardDefinition award = decision.award();
        if (award != null && rules.isLimitedPerUser(award.awardId())) {
            limitedWins
                    .computeIfAbsent(plan.userOf(draw), unknown -> new HashMap<>())
                    .merge(award.awardId(), 1, Integer::sum);
        }
        if (award != null) {
            SimulatedStock stock = Objects.requireNonNull(stocks.get(award.awardId()));
            if (stock.give(decision.amount(), draw)) {
                Set<Integer> more = new HashSet<>(soldOut);
                more.add(award.awardId());
                soldOut = Set.copyOf(more);
            }
        }
    }

    private DrawSituation situation(int draw, List<Integer> reached) {
        int before = plan.drawsBefore(draw);
        int beforeThisDay = plan.drawsOf(plan.userOf(draw), plan.firstOn(plan.dayOf(draw)));
        Set<Integer> unavailable = soldOut;
        if (!reached.isEmpty()) {
            unavailable = new HashSet<>(soldOut);
            unavailable.addAll(reached);
        }
        return new DrawSituation(somebody, before, before - beforeThisDay, unavailable);
    }
}
