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
 * The raffle orders of all accounts. They are created and drawn in the account's unit of work, and read from their
 * events.
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
     * The state of an order.
     *
     * @param drawn null while the order is open, and if it was cancelled
     */
    public record Order(
            RaffleOrderId orderId,
            AccountId accountId,
            RaffleOrderState state,
            Instant createdAt,
            @Nullable RaffleDrawn drawn) {

        /** Returns the order after an event; null if the id belongs to the answer of another kind of request. */
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

    /** Creates an order that is drawn later. */
    public void create(RaffleOrderCreated created) {
        NewAggregates.create(RaffleOrder.class, () -> new RaffleOrder(created));
    }

    /** Creates an order and draws it at once, when its chance is spent. */
    public Drawn draw(DueDraw due) {
        return NewAggregates.create(RaffleOrder.class, () -> new RaffleOrder(due, drawing))
                .invoke(RaffleOrder::drawn);
    }

    /** Draws an open order. */
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
