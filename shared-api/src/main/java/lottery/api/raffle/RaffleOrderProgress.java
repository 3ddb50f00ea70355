package lottery.api.raffle;

import java.time.Instant;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import org.jspecify.annotations.Nullable;

/**
 * The state of a raffle order, folded from its events.
 *
 * @param drawn the event of the draw; null while the order is open, and if it was cancelled or refused
 * @param cancelledAt when the order was cancelled; null if it was not cancelled
 * @param refused the event of the refusal, if the order was refused after it had waited in the queue; otherwise null
 */
public record RaffleOrderProgress(
        RaffleOrderId orderId,
        AccountId accountId,
        RaffleOrderState state,
        Instant createdAt,
        @Nullable RaffleDrawn drawn,
        @Nullable Instant cancelledAt,
        @Nullable RaffleOrderRefused refused) {

    /**
     * Returns the order after an event; null if the event stream with this id has only the stored answer to a request,
     * and no order.
     */
    public static @Nullable RaffleOrderProgress after(@Nullable RaffleOrderProgress order, RaffleEvent event) {
        return switch (event) {
            case RaffleOrderCreated created ->
                new RaffleOrderProgress(
                        created.orderId(),
                        new AccountId(created.activityId(), created.userId()),
                        RaffleOrderState.CREATED,
                        created.createdAt(),
                        null,
                        null,
                        null);
            case EntryMade entry ->
                new RaffleOrderProgress(
                        entry.orderId(),
                        new AccountId(entry.activityId(), entry.userId()),
                        RaffleOrderState.ENTERED,
                        entry.enteredAt(),
                        null,
                        null,
                        null);
            case RaffleDrawn drawn ->
                new RaffleOrderProgress(
                        drawn.orderId(),
                        new AccountId(drawn.activityId(), drawn.userId()),
                        RaffleOrderState.USED,
                        order == null ? drawn.drawnAt() : order.createdAt(),
                        drawn,
                        null,
                        null);
            case RaffleOrderCancelled cancelled -> order == null ? null : order.cancelled(cancelled.cancelledAt());
            case RaffleOrderRefused refused ->
                new RaffleOrderProgress(
                        refused.orderId(),
                        new AccountId(refused.activityId(), refused.userId()),
                        RaffleOrderState.REFUSED,
                        refused.queuedAt(),
                        null,
                        null,
                        refused);
            case RequestAnswered _ -> null;
        };
    }

    private RaffleOrderProgress cancelled(Instant at) {
        return new RaffleOrderProgress(orderId, accountId, RaffleOrderState.CANCELLED, createdAt, null, at, null);
    }

    /** Returns when the order was drawn, cancelled or refused; null while it is open. */
    public @Nullable Instant endedAt() {
        if (refused != null) {
            return refused.refusedAt();
        }
        return drawn == null ? cancelledAt : drawn.drawnAt();
    }
}
