package lottery.raffle;

import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.messaging.draw.DrawQueuePosition;
import lottery.messaging.draw.QueuedDrawRequest;
import org.jspecify.annotations.Nullable;

/**
 * An order, with its outcome once it is drawn.
 *
 * @param createdAt when the order was created, or when its request was accepted into the queue
 * @param position its place in the queue: how many requests are drawn until this one is drawn, itself included; left
 *     out if it does not wait in the queue
 * @param expectedWaitSeconds the expected time until it is drawn; left out while no request of the queue is drawn
 * @param entryNo its number in the pool of an activity that is drawn at one time; left out for other orders
 * @param draws the answer to a request that asked for several draws or used an open order
 * @param refusal why it was refused, after it had waited in the queue
 */
record RaffleOrderDetails(
        RaffleOrderId orderId,
        ActivityId activityId,
        UserId userId,
        RaffleOrderState state,
        Instant createdAt,
        @Nullable Long position,
        @Nullable Long expectedWaitSeconds,
        @Nullable Integer entryNo,
        @Nullable Outcome outcome,
        @Nullable Prize award,
        @Nullable AwardRecordId awardRecordId,
        @Nullable Integer strategyVersion,
        @Nullable Instant drawnAt,
        @Nullable List<DrawResult> draws,
        @Nullable RaffleOrderRefusal refusal) {

    /** Why an order was refused. */
    record RaffleOrderRefusal(String code, String title, String detail, Instant refusedAt) {}

    static RaffleOrderDetails of(
            RaffleOrderProgress order, @Nullable Integer entryNo, @Nullable RaffleOrderRefusal refusal) {
        RaffleDrawn drawn = order.drawn();
        return new RaffleOrderDetails(
                order.orderId(),
                order.accountId().activityId(),
                order.accountId().userId(),
                order.state(),
                order.createdAt(),
                null,
                null,
                entryNo,
                drawn == null ? null : drawn.outcome(),
                drawn == null ? null : drawn.award(),
                drawn == null ? null : DrawResult.of(drawn).awardRecordId(),
                drawn == null ? null : drawn.strategyVersion(),
                drawn == null ? null : drawn.drawnAt(),
                null,
                refusal);
    }

    /**
     * Returns a request that was answered with orders of other ids. Its fields have the values of the first of these
     * orders.
     */
    static RaffleOrderDetails of(RaffleOrderId requestId, AccountId account, DrawRequestResult draws) {
        DrawResult first = draws.draws().getFirst();
        return new RaffleOrderDetails(
                requestId,
                account.activityId(),
                account.userId(),
                RaffleOrderState.USED,
                first.drawnAt(),
                null,
                null,
                null,
                first.outcome(),
                first.award(),
                first.awardRecordId(),
                first.strategyVersion(),
                first.drawnAt(),
                draws.draws(),
                null);
    }

    static RaffleOrderDetails of(DrawQueuePosition queued) {
        QueuedDrawRequest request = queued.request();
        return new RaffleOrderDetails(
                request.orderId(),
                request.activityId(),
                request.userId(),
                RaffleOrderState.QUEUED,
                request.queuedAt(),
                queued.position(),
                queued.expectedWaitSeconds(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
