package lottery.rule;

import static java.util.stream.Collectors.joining;
import static lottery.api.SubmissionFlaw.FlawKind.CREDITS_MISSING;
import static lottery.api.SubmissionFlaw.FlawKind.ENDS_IN_THE_PAST;
import static lottery.api.SubmissionFlaw.FlawKind.FALLBACK_MISSING;
import static lottery.api.SubmissionFlaw.FlawKind.LOCK_OUT_OF_REACH;
import static lottery.api.SubmissionFlaw.FlawKind.STRATEGY_UNKNOWN;
import static lottery.api.SubmissionFlaw.FlawKind.URL_MISSING;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ChanceBundle;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;

/** Checks an activity with its strategy, as far as that is possible without a simulation. */
public final class ActivityPreflight {

    /** How serious a finding is: whether it prevents the submission of the activity, or only warns. */
    public enum Severity {
        REFUSES,
        WARNS
    }

    public record Concern(SubmissionFlaw finding, Severity severity) {}

    private ActivityPreflight() {}

    /** Returns the reasons why an activity cannot be submitted; empty if it can. */
    public static List<SubmissionFlaw> findings(
            ActivityDefinition activity, Optional<CompiledStrategy> rules, Instant now) {
        return concerns(activity, rules, now).stream()
                .filter(concern -> concern.severity() == Severity.REFUSES)
                .map(Concern::finding)
                .toList();
    }

    /**
     * Returns all findings: those that prevent a submission, and those that only warn.
     *
     * @param rules the rules of the activity's strategy, if it exists
     */
    public static List<Concern> concerns(ActivityDefinition activity, Optional<CompiledStrategy> rules, Instant now) {
        List<Concern> concerns = new ArrayList<>();
        if (now.isAfter(activity.endsAt())) {
            concerns.add(new Concern(new SubmissionFlaw("/endsAt", ENDS_IN_THE_PAST), Severity.REFUSES));
        }
        if (rules.isEmpty()) {
            concerns.add(new Concern(new SubmissionFlaw("/strategyId", STRATEGY_UNKNOWN), Severity.REFUSES));
        }
        rules.stream()
                .flatMap(known -> BudgetValidator.unfitAwards(activity, known).stream())
                .map(flaw -> new Concern(flaw, Severity.REFUSES))
                .forEach(concerns::add);
        rules.map(CompiledStrategy::definition).ifPresent(strategy -> {
            // These checks are about lost picks and locks, which a pool does not have.
            if (activity.draw() == null) {
                withoutFallback(strategy, concerns);
                outOfReach(activity, strategy, concerns);
            }
            withoutCredits(strategy, concerns);
            withoutUrl(strategy, concerns);
        });
        return concerns;
    }

    private static void withoutFallback(StrategyDefinition strategy, List<Concern> concerns) {
        if (strategy.fallback() != null) {
            return;
        }
        String lost = strategy.awards().stream()
                .filter(award -> isLostAtTimes(award, strategy.mode()))
                .map(award -> Integer.toString(award.awardId()))
                .collect(joining(", "));
        if (!lost.isEmpty()) {
            concerns.add(warning("/strategyId", FALLBACK_MISSING, lost));
        }
    }

    /**
     * Returns whether a pick of this award may win nothing. A pick of a locked award can be lost in any mode. A pick of
     * an award that is sold out, or whose limit the user has reached, is lost only in mode SINGLE. In other modes the
     * other awards share its odds.
     */
    private static boolean isLostAtTimes(AwardDefinition award, Mode mode) {
        boolean isLimited = award.stock() != null || award.maxPerUser() != null;
        return award.lockedUntilDraws() > 0 || (mode == Mode.SINGLE && isLimited);
    }

    private static void outOfReach(ActivityDefinition activity, StrategyDefinition strategy, List<Concern> concerns) {
        long drawsPerDayMax = drawsPerDayMax(activity);
        strategy.awards().stream()
                .filter(award -> award.lockedUntilDraws() > 0 && award.lockedUntilDraws() >= drawsPerDayMax)
                .map(award -> warning("/skus", LOCK_OUT_OF_REACH, Integer.toString(award.awardId())))
                .forEach(concerns::add);
    }

    private static void withoutCredits(StrategyDefinition strategy, List<Concern> concerns) {
        strategy.awards().stream()
                .filter(CreditAwardValidator::areMissing)
                .map(award -> warning("/strategyId", CREDITS_MISSING, Integer.toString(award.awardId())))
                .forEach(concerns::add);
    }

    /** Warns of coupons without a URL. Another system may hand them over, but the lottery cannot. */
    private static void withoutUrl(StrategyDefinition strategy, List<Concern> concerns) {
        String lost = strategy.awards().stream()
                .filter(award ->
                        award.type() == AwardType.COUPON && !award.config().containsKey("url"))
                .map(award -> Integer.toString(award.awardId()))
                .collect(joining(", "));
        if (!lost.isEmpty()) {
            concerns.add(warning("/strategyId", URL_MISSING, lost));
        }
    }

    /** Returns the most draws in a day of a user who gets the free chances and each SKU once. */
    private static long drawsPerDayMax(ActivityDefinition activity) {
        return Math.min(
                activity.chances(ChanceBundle::day),
                Math.min(activity.chances(ChanceBundle::month), activity.chances(ChanceBundle::total)));
    }

    private static Concern warning(String pointer, SubmissionFlaw.FlawKind flaw, String subject) {
        return new Concern(new SubmissionFlaw(pointer, flaw, subject), Severity.WARNS);
    }
}
