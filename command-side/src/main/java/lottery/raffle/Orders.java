package lottery.raffle;

import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.Draws;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;
import lottery.api.raffle.Request;
import lottery.api.raffle.Shortage;
import lottery.award.AwardRecord;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.Repository;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** All raffle orders: written with the unit of work of the account that they belong to, and read from what happened. */
@Component
public class Orders {

    private final EventStore events;
    private final Repository<RaffleOrder> orders;

    Orders(EventStore events, @Lazy @Qualifier("raffleOrderRepository") Repository<RaffleOrder> orders) {
        this.events = events;
        this.orders = orders;
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

        private Order cancelled() {
            return new Order(orderId, accountId, RaffleOrderState.CANCELLED, createdAt, null);
        }
    }

    /** An order that is left for later. */
    public void create(RaffleOrderCreated created) {
        create(RaffleOrder.class, () -> new RaffleOrder(created));
    }

    /** An order that is drawn in the same moment in which its chance is spent, and what it won. */
    public void createDrawn(Drawing.Result result) {
        create(RaffleOrder.class, () -> new RaffleOrder(result.drawn()));
        createAward(result.won());
    }

    /** The draw of an order that was open, and what it won. */
    public void drawOpen(Drawing.Result result) {
        end(result.drawn());
        createAward(result.won());
    }

    public void cancel(RaffleOrderCancelled cancelled) {
        end(cancelled);
    }

    /** What a request was answered with, where it made no order of its own id. */
    public void answered(Request request, AccountId account, Wish wish, RaffleOrderId order) {
        answered(request, account, wish, 1, List.of(order), null);
    }

    public void answered(Request request, AccountId account, int count, Draws draws) {
        List<RaffleOrderId> orders = draws.draws().stream().map(Drawn::orderId).toList();
        answered(request, account, Wish.DRAW, count, orders, draws.shortage());
    }

    /** So that the same request is answered alike for ever. One without a key never comes again. */
    private static void answered(
            Request request,
            AccountId account,
            Wish wish,
            int count,
            List<RaffleOrderId> orders,
            @Nullable Shortage shortage) {
        if (request.repeatable()) {
            RequestAnswered answer = new RequestAnswered(
                    request.id(), account.activityId(), account.userId(), wish, count, orders, shortage);
            create(RaffleOrder.class, () -> new RaffleOrder(answer));
        }
    }

    private void end(RaffleEvent last) {
        orders.load(last.orderId().text()).execute(order -> order.end(last));
    }

    private static void createAward(@Nullable AwardWon won) {
        if (won != null) {
            create(AwardRecord.class, () -> new AwardRecord(won));
        }
    }

    private static <T> void create(Class<T> type, Callable<T> aggregate) {
        try {
            createNew(type, aggregate);
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + type.getSimpleName(), e);
        }
    }

    public Optional<Order> find(RaffleOrderId orderId) {
        DomainEventStream history = events.readEvents(orderId.text());
        Order order = null;
        while (history.hasNext()) {
            order = after(order, (RaffleEvent) history.next().getPayload());
        }
        return Optional.ofNullable(order);
    }

    private static @Nullable Order after(@Nullable Order order, RaffleEvent event) {
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

    /** What this request was answered with, if it was ever made. */
    Optional<RequestAnswered> answerTo(RaffleOrderId requestId) {
        DomainEventStream history = events.readEvents(requestId.text());
        return history.hasNext()
                ? Optional.of(answerOf((RaffleEvent) history.next().getPayload()))
                : Optional.empty();
    }

    private static RequestAnswered answerOf(RaffleEvent first) {
        return switch (first) {
            case RaffleOrderCreated(RaffleOrderId id, ActivityId activity, UserId user, Instant _) ->
                new RequestAnswered(id, activity, user, Wish.PARTAKE, 1, List.of(id), null);
            case RaffleDrawn drawn ->
                new RequestAnswered(
                        drawn.orderId(),
                        drawn.activityId(),
                        drawn.userId(),
                        Wish.DRAW,
                        1,
                        List.of(drawn.orderId()),
                        null);
            case RequestAnswered answered -> answered;
            case RaffleOrderCancelled cancelled ->
                throw new IllegalStateException(cancelled.orderId() + " begins with its end");
        };
    }
}
