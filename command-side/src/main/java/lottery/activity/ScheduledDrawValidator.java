package lottery.activity;

import static java.util.stream.Collectors.joining;
import static lottery.api.SubmissionFlaw.FlawKind.DRAW_AWARDS_HELD;
import static lottery.api.SubmissionFlaw.FlawKind.DRAW_AWARDS_UNFIT;
import static lottery.api.SubmissionFlaw.FlawKind.DRAW_QUEUED;
import static lottery.api.SubmissionFlaw.FlawKind.DRAW_TIMES_UNFIT;
import static lottery.api.SubmissionFlaw.FlawKind.DRAW_WITHOUT_BEACON;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import lottery.api.StorableTimeRange;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.DrawPlan;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.fairness.PublicRandomness;
import lottery.rule.CompiledStrategy;

/** Checks activities whose entries are drawn together, at one time. */
public final class ScheduledDrawValidator {

    private ScheduledDrawValidator() {}

    /** Returns the flaw in the times of the draw, if there is one. */
    static Optional<SubmissionFlaw> unfitTimes(ActivityDefinition definition) {
        DrawPlan plan = definition.draw();
        boolean fits = plan == null
                || (definition.beginsAt().isBefore(plan.entriesCloseAt())
                        && plan.entriesCloseAt().isBefore(plan.drawAt())
                        && !plan.drawAt().isAfter(definition.endsAt())
                        && StorableTimeRange.isInRange(plan.drawAt()));
        return fits ? Optional.empty() : Optional.of(new SubmissionFlaw("/draw", DRAW_TIMES_UNFIT));
    }

    /** Returns the flaw if the activity draws its entries together and also has a queue for draws. */
    static Optional<SubmissionFlaw> unfitQueue(ActivityDefinition definition) {
        return definition.draw() != null && Boolean.TRUE.equals(definition.queued())
                ? Optional.of(new SubmissionFlaw("/queued", DRAW_QUEUED))
                : Optional.empty();
    }

    /**
     * Returns whether the activity draws a pool and has started before. It is not opened again then, because a pool is
     * drawn once.
     */
    static boolean isOver(ActivityProgress activity) {
        return activity.definition().draw() != null && !activity.rounds().isEmpty();
    }

    /**
     * Returns why the entries cannot be drawn together; empty if they can, or if the activity does not draw them
     * together.
     */
    public static List<SubmissionFlaw> unfit(
            ActivityProgress activity, Optional<CompiledStrategy> rules, PublicRandomness beacon) {
        List<SubmissionFlaw> findings = new ArrayList<>();
        if (activity.definition().draw() != null) {
            if (!activity.held().isEmpty()) {
                findings.add(new SubmissionFlaw("/draw", DRAW_AWARDS_HELD, joined(activity.held())));
            }
            if (!beacon.isThere()) {
                findings.add(new SubmissionFlaw("/draw", DRAW_WITHOUT_BEACON));
            }
            findings.addAll(unfitAwards(activity.definition(), rules));
        }
        return findings;
    }

    /** Returns why the entries cannot be drawn together by this version of the strategy; empty if they can. */
    static List<SubmissionFlaw> unfitAwards(ActivityDefinition definition, Optional<CompiledStrategy> rules) {
        return definition.draw() == null
                ? List.of()
                : rules.map(CompiledStrategy::definition).flatMap(ScheduledDrawValidator::awardsFlaw).stream()
                        .toList();
    }

    /**
     * Returns the flaw if awards or rules of the strategy do not fit a draw at one time. For example, tiers and locks
     * would have no effect, because an entry wins by its place alone.
     */
    private static Optional<SubmissionFlaw> awardsFlaw(StrategyDefinition strategy) {
        String unfit = joined(strategy.awards().stream()
                .filter(award -> !isFit(award))
                .map(AwardDefinition::awardId)
                .toList());
        boolean fits = unfit.isEmpty()
                && strategy.fallback() == null
                && strategy.blacklist() == null
                && strategy.tiers().isEmpty()
                && strategy.tree() == null;
        return fits ? Optional.empty() : Optional.of(new SubmissionFlaw("/strategyId", DRAW_AWARDS_UNFIT, unfit));
    }

    private static String joined(Collection<Integer> awardIds) {
        return awardIds.stream().map(awardId -> Integer.toString(awardId)).collect(joining(", "));
    }

    private static boolean isFit(AwardDefinition award) {
        return award.stock() != null
                && award.lockedUntilDraws() == 0
                && award.maxPerUser() == null
                && award.onFailure() == Remedy.MANUAL;
    }
}
