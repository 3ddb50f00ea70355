package lottery.bench.invariant;

import java.time.LocalDate;
import java.util.EnumMap;
import java.util.Map;
import lottery.bench.invariant.SameCommitFinder.Place;
import org.jspecify.annotations.Nullable;

/** Checks one order: its events in the stream of the order and in the stream of the account must fit together. */
final class OrderCheck {

    /** A step of an order. Each step can happen once. */
    enum Step {
        SPENT("costs a chance", "costs no chance"),
        CREATED("is created", "is not created"),
        USED("is used", "is not used"),
        DRAWN("is drawn", "is not drawn"),
        ENTERED("enters a pool", "enters no pool"),
        RETURNED("gives its chance back", "gives no chance back"),
        REMEDIED("has its award compensated by the chance", "has no award that is compensated by the chance"),
        CANCELLED("is cancelled", "is not cancelled"),
        REFUSED("is refused", "is not refused");

        private final String done;
        private final String left;

        Step(String done, String left) {
            this.done = done;
            this.left = left;
        }
    }

    /** The chance that was spent on an order. */
    record Cost(String account, LocalDate day, boolean open) {}

    private final String id;
    private final Map<Step, Place> steps = new EnumMap<>(Step.class);
    private @Nullable Cost cost;

    OrderCheck(String id) {
        this.id = id;
    }

    void on(Step step, Place place, FindingTally tally) {
        Place before = steps.putIfAbsent(step, place);
        if (before != null) {
            tally.violated("%s %s at event %d and again at event %d"
                    .formatted(id, step.done, before.position(), place.position()));
        }
    }

    void costs(Cost spent) {
        cost = cost == null ? spent : cost;
    }

    @Nullable
    Cost cost() {
        return cost;
    }

    @Nullable
    Place placeOf(Step step) {
        return steps.get(step);
    }

    boolean has(Step step) {
        return steps.containsKey(step);
    }

    /** Checks whether all steps of the order fit together. I7 checks that each draw has spent a chance. */
    void verdict(FindingTally tally) {
        Place refused = steps.get(Step.REFUSED);
        if (refused != null) {
            steps.forEach((step, place) -> {
                if (step != Step.REFUSED) {
                    tally.violated("%s is refused at event %d and %s at event %d"
                            .formatted(id, refused.position(), step.done, place.position()));
                }
            });
        }
        boolean leftOpen = cost != null && cost.open();
        if (cost != null && !leftOpen) {
            requireTogether(Step.SPENT, has(Step.ENTERED) ? Step.ENTERED : Step.DRAWN, tally);
        }
        if (leftOpen || has(Step.CREATED)) {
            requireTogether(Step.SPENT, Step.CREATED, tally);
            requireTogether(Step.USED, Step.DRAWN, tally);
        }
        if (has(Step.CANCELLED) || !has(Step.DRAWN)) {
            requireTogether(Step.RETURNED, Step.CANCELLED, tally);
        }
        if (has(Step.REMEDIED) || isReturnedAfterDraw()) {
            requireTogether(Step.RETURNED, Step.REMEDIED, tally);
        }
        if (has(Step.ENTERED)) {
            requireTogether(Step.SPENT, Step.ENTERED, tally);
        }
        Place drawn = steps.get(Step.DRAWN);
        Place cancelled = steps.get(Step.CANCELLED);
        if (drawn != null && cancelled != null) {
            tally.violated("%s is drawn at event %d and cancelled at event %d"
                    .formatted(id, drawn.position(), cancelled.position()));
        }
    }

    /**
     * Returns whether the chance was returned after the draw. Draws after the return of their chance are reported by
     * I7.
     */
    private boolean isReturnedAfterDraw() {
        Place drawn = steps.get(Step.DRAWN);
        Place returned = steps.get(Step.RETURNED);
        return drawn != null && returned != null && drawn.position() < returned.position() && !has(Step.CANCELLED);
    }

    /** Requires that both steps happened in one commit, or neither. */
    private void requireTogether(Step one, Step other, FindingTally tally) {
        Place first = steps.get(one);
        Place second = steps.get(other);
        if (first != null && second != null && !first.isInSameCommitAs(second)) {
            tally.violated("%s %s at event %d and %s at event %d, in another commit"
                    .formatted(id, one.done, first.position(), other.done, second.position()));
        } else if (first != null && second == null) {
            tally.violated("%s %s at event %d and %s".formatted(id, one.done, first.position(), other.left));
        } else if (first == null && second != null) {
            tally.violated("%s %s at event %d and %s".formatted(id, other.done, second.position(), one.left));
        }
    }
}
