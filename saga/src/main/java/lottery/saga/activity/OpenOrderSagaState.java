package lottery.saga.activity;

import java.time.Instant;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.saga.activity.OpenOrderTable.OpenOrder;
import lottery.saga.command.SagaCommands;
import org.jspecify.annotations.Nullable;

/**
 * A closed activity whose open orders are cancelled, page by page.
 *
 * @param dueAt when the next page is due; null until nobody can make an order in the activity
 * @param first the first order of the page that was cancelled last
 * @param attempts how often the same page was cancelled without effect
 */
record OpenOrderSagaState(
        ActivityId activityId,
        @Nullable Instant dueAt,
        @Nullable RaffleOrderId first,
        int attempts) {

    static OpenOrderSagaState of(ActivityId activityId) {
        return new OpenOrderSagaState(activityId, null, null, 0);
    }

    OpenOrderSagaState dueAt(Instant due) {
        return new OpenOrderSagaState(activityId, due, null, 0);
    }

    /** Returns the state after all orders of a page were cancelled, which may have had no effect. */
    OpenOrderSagaState asked(List<OpenOrder> page, Instant now) {
        RaffleOrderId begin = page.getFirst().orderId();
        int before = begin.equals(first) ? attempts : 0;
        return new OpenOrderSagaState(activityId, now.plus(SagaCommands.pauseAfter(before)), begin, before + 1);
    }
}
