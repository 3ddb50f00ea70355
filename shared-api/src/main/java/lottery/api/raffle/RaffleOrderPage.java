package lottery.api.raffle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of raffle orders.
 *
 * @param next where the next page begins; null on the last page
 */
public record RaffleOrderPage(
        List<ListedOrder> items, @Nullable String next) {

    /**
     * An order.
     *
     * @param createdAt when its chance was spent
     * @param endedAt when it was drawn or cancelled; null if it is open
     * @param entryNo its number in the pool of an activity that is drawn at one time; null if it is in no pool
     */
    public record ListedOrder(
            RaffleOrderId orderId,
            RaffleOrderState state,
            Instant createdAt,
            @Nullable Instant endedAt,
            @Nullable Integer entryNo) {

        public static ListedOrder of(RaffleOrderProgress order, @Nullable Integer entryNo) {
            return new ListedOrder(order.orderId(), order.state(), order.createdAt(), order.endedAt(), entryNo);
        }
    }

    public RaffleOrderPage {
        items = List.copyOf(items);
    }
}
