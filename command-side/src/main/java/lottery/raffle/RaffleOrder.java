package lottery.raffle;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.InstantSource;
import java.util.List;
import lottery.activity.ActivityCache;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.Draws;
import lottery.api.raffle.RaffleCommand;
import lottery.api.raffle.RaffleCommand.CancelRaffleOrder;
import lottery.api.raffle.RaffleCommand.DrawRaffleOrder;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;
import lottery.award.AwardRecord;
import lottery.raffle.RaffleOrders.Order;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One order, from the chance that it cost to its outcome. It decides its own draw and its cancellation. Its account
 * books the consequences for the user's chances through {@link OrderBooking}, in the same unit of work.
 *
 * <p>Its id can be used once: that is why a repeated request cannot become a second draw. An id may also be taken up by
 * the answer to a request, see {@link RequestAnswers}; then there is no order of that id, and never will be.
 */
@Aggregate(type = "order", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class RaffleOrder {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable Order order;

    RaffleOrder() {}

    /** An order that is left for later. */
    RaffleOrder(RaffleOrderCreated created) {
        apply(created);
    }

    /** An order that is drawn in the same moment in which its chance is spent. */
    RaffleOrder(DueDraw due, DrawDecider drawing) {
        store(drawing.draw(due));
    }

    /** No order: the id is taken up by an answer. */
    RaffleOrder(RequestAnswered answered) {
        apply(answered);
    }

    @CommandHandler
    Answer<Draws> handle(DrawRaffleOrder draw, ActivityCache activities, OrderBooking accounts, DrawDecider drawing) {
        return requireOpen(draw)
                .then(open -> activities.findOpen(open.accountId().activityId()))
                .then(activity -> {
                    PriorDraws before = accounts.use(draw.accountId(), draw.orderId(), activity);
                    Drawn drawn = store(drawing.draw(new DueDraw(draw.accountId(), draw.orderId(), before, activity)));
                    RequestAnswers.keep(draw.request(), draw.accountId(), Wish.DRAW_ORDER, draw.orderId());
                    return Answer.done(new Draws(List.of(drawn), null));
                });
    }

    /** Whether the activity is still open does not matter: a chance that nobody used is given back. */
    @CommandHandler
    Answer<RaffleOrderId> handle(CancelRaffleOrder cancel, OrderBooking accounts, InstantSource clock) {
        return requireOpen(cancel).then(open -> {
            accounts.cancel(cancel.accountId(), cancel.orderId());
            apply(new RaffleOrderCancelled(cancel.orderId(), open.accountId().userId(), clock.instant()));
            RequestAnswers.keep(cancel.request(), cancel.accountId(), Wish.CANCEL, cancel.orderId());
            return Answer.done(cancel.orderId());
        });
    }

    /** The key under which the order was created is used up by that. */
    private Answer<Order> requireOpen(RaffleCommand<?> command) {
        if (command.request().id().equals(command.orderId())) {
            return Answer.no(
                    new Refused(Refusal.KEY_REUSED, command.request().id().text()));
        }
        if (order == null || !order.accountId().equals(command.accountId())) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, command.orderId().text()));
        }
        return switch (order.state()) {
            case CREATED -> Answer.done(order);
            case USED ->
                Answer.no(new Refused(Refusal.ORDER_USED, command.orderId().text()));
            case CANCELLED ->
                Answer.no(new Refused(Refusal.ORDER_CANCELLED, command.orderId().text()));
        };
    }

    /** The account takes it for open and has booked its draw. If it is not, another node has been faster. */
    Drawn draw(DueDraw due, DrawDecider drawing) {
        if (order == null || order.state() != RaffleOrderState.CREATED) {
            throw new ConcurrencyException(id + " was ended elsewhere, and its account as it is known here is too old");
        }
        return store(drawing.draw(due));
    }

    /** The award begins after the draw that wins it, also in the log. */
    private static Drawn store(DrawDecider.Result result) {
        AwardWon won = result.won();
        apply(result.drawn()).andThen(() -> {
            if (won != null) {
                NewAggregates.create(AwardRecord.class, () -> new AwardRecord(won));
            }
        });
        return Drawn.of(result.drawn());
    }

    Drawn drawn() {
        RaffleDrawn drawn = order == null ? null : order.drawn();
        if (drawn == null) {
            throw new IllegalStateException(id + " is not drawn");
        }
        return Drawn.of(drawn);
    }

    @EventSourcingHandler
    void on(RaffleEvent event) {
        id = event.orderId().text();
        order = Order.after(order, event);
    }
}
