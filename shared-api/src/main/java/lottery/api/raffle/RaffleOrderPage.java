package lottery.api.raffle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of raffle orders.
 *
 * @param next where the next page begins; none when this is the last
 */
public record RaffleOrderPage(
        List<ListedOrder> items, @Nullable String next) {

    /**
     * An order.
     *
     * @param createdAt when its chance was spent
     * @param endedAt when it was drawn or cancelled; none: it is open
     */
    public record ListedOrder(
            RaffleOrderId orderId,
            RaffleOrderState state,
            Instant createdAt,
            @Nullable Instant endedAt) {

        public static ListedOrder of(OrderProgress order) {
            return new ListedOrder(order.orderId(), order.state(), order.createdAt(), order.endedAt());
        }
    }

    public RaffleOrderPage {
        items = List.copyOf(items);
    }
}
