package lottery.bench.invariant.draw;

import java.time.LocalDate;
import java.util.EnumMap;
import java.util.Map;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import org.jspecify.annotations.Nullable;

/** Checks one order: its events in the stream of the order and in the stream of the account must fit together. */
final class OrderStepTracker {

    /** A step of an order. Each step can happen once. */
    enum OrderStep {
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

        OrderStep(String done, String left) {
            this.done = done;
            this.left = left;
        }
    }

    /** The chance that was spent on an order. */
    record Cost(String account, LocalDate day, boolean open) {}

    private final String id;
    private final Map<OrderStep, EventPlace> steps = new EnumMap<>(OrderStep.class);
    private @Nullable Cost cost;

    OrderStepTracker(String id) {
        this.id = id;
    }

    void on(OrderStep step, EventPlace place, FindingTally tally) {
        EventPlace before = steps.putIfAbsent(step, place);
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
    EventPlace placeOf(OrderStep step) {
        return steps.get(step);
    }

    boolean has(OrderStep step) {
        return steps.containsKey(step);
    }

    /** Checks whether all steps of the order fit together. I7 checks that each draw has spent a chance. */
    void verdict(FindingTally tally) {
        EventPlace refused = steps.get(OrderStep.REFUSED);
        if (refused != null) {
            steps.forEach((step, place) -> {
                if (step != OrderStep.REFUSED) {
                    tally.violated("%s is refused at event %d and %s at event %d"
                            .formatted(id, refused.position(), step.done, place.position()));
                }
            });
        }
        boolean leftOpen = cost != null && cost.open();
        if (cost != null && !leftOpen) {
            requireTogether(OrderStep.SPENT, has(OrderStep.ENTERED) ? OrderStep.ENTERED : OrderStep.DRAWN, tally);
        }
        if (leftOpen || has(OrderStep.CREATED)) {
            requireTogether(OrderStep.SPENT, OrderStep.CREATED, tally);
            requireTogether(OrderStep.USED, OrderStep.DRAWN, tally);
        }
        if (has(OrderStep.CANCELLED) || !has(OrderStep.DRAWN)) {
            requireTogether(OrderStep.RETURNED, OrderStep.CANCELLED, tally);
        }
        if (has(OrderStep.REMEDIED) || isReturnedAfterDraw()) {
            requireTogether(OrderStep.RETURNED, OrderStep.REMEDIED, tally);
        }
        if (has(OrderStep.ENTERED)) {
            requireTogether(OrderStep.SPENT, OrderStep.ENTERED, tally);
        }
        EventPlace drawn = steps.get(OrderStep.DRAWN);
        EventPlace cancelled = steps.get(OrderStep.CANCELLED);
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
        EventPlace drawn = steps.get(OrderStep.DRAWN);
        EventPlace returned = steps.get(OrderStep.RETURNED);
        return drawn != null && returned != null && drawn.position() < returned.position() && !has(OrderStep.CANCELLED);
    }

    /** Requires that both steps happened in one commit, or neither. */
    private void requireTogether(OrderStep one, OrderStep other, FindingTally tally) {
        EventPlace first = steps.get(one);
        EventPlace second = steps.get(other);
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
