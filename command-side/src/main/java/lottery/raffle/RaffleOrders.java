package lottery.raffle;

import java.time.Instant;
import java.util.Optional;
import lottery.api.account.AccountId;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.Repository;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * The raffle orders of all accounts: created and drawn with the unit of work of the account that asks, and read from
 * their events.
 */
@Component
public class RaffleOrders {

    private final EventStore events;
    private final Repository<RaffleOrder> orders;
    private final DrawDecider drawing;

    RaffleOrders(
            EventStore events,
            @Lazy @Qualifier("raffleOrderRepository") Repository<RaffleOrder> orders,
            DrawDecider drawing) {
        this.events = events;
        this.orders = orders;
        this.drawing = drawing;
    }

    /**
     * An order as it is.
     *
     * @param drawn none: it is open, or was cancelled
     */
    public record Order(
            RaffleOrderId orderId,
            AccountId accountId,
            RaffleOrderState state,
            Instant createdAt,
            @Nullable RaffleDrawn drawn) {

        /** The order after an event; none, where the id belongs to a request that was answered with something else. */
        static @Nullable Order after(@Nullable Order order, RaffleEvent event) {
            return switch (event) {
                case RaffleOrderCreated created ->
                    new Order(
                            created.orderId(),
                            new AccountId(created.activityId(), created.userId()),
                            RaffleOrderState.CREATED,
                            created.createdAt(),
                            null);
                case RaffleDrawn drawn ->
                    new Order(
                            drawn.orderId(),
                            new AccountId(drawn.activityId(), drawn.userId()),
                            RaffleOrderState.USED,
                            order == null ? drawn.drawnAt() : order.createdAt(),
                            drawn);
                case RaffleOrderCancelled _ -> order == null ? null : order.cancelled();
                case RequestAnswered _ -> null;
            };
        }

        private Order cancelled() {
            return new Order(orderId, accountId, RaffleOrderState.CANCELLED, createdAt, null);
        }
    }

    /** Creates an order that is left for later. */
    public void create(RaffleOrderCreated created) {
        NewAggregates.create(RaffleOrder.class, () -> new RaffleOrder(created));
    }

    /** Creates an order in the same moment in which its chance is spent, and lets it draw. */
    public Drawn draw(DueDraw due) {
        return NewAggregates.create(RaffleOrder.class, () -> new RaffleOrder(due, drawing))
                .invoke(RaffleOrder::drawn);
    }

    /** Lets an order draw that was left for later. */
    public Drawn drawOpen(DueDraw due) {
        return orders.load(due.orderId().text()).invoke(order -> order.draw(due, drawing));
    }

    public Optional<Order> find(RaffleOrderId orderId) {
        DomainEventStream history = events.readEvents(orderId.text());
        Order order = null;
        while (history.hasNext()) {
            order = Order.after(order, (RaffleEvent) history.next().getPayload());
        }
        return Optional.ofNullable(order);
    }
}
