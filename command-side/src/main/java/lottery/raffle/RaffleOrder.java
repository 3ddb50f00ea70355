package lottery.raffle;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import lottery.activity.ActivityCache;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleCommand;
import lottery.api.raffle.RaffleCommand.CancelRaffleOrder;
import lottery.api.raffle.RaffleCommand.DrawRaffleOrder;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.award.AwardRecord;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One order, from the chance that it cost to its outcome. The order decides its own draw and its cancellation. Its
 * account books the consequences for the user's chances through {@link AccountOutcomeBooker}, in the same unit of work.
 *
 * <p>Its id can be used once, so that a repeated request cannot become a second draw. An id can also be used by the
 * stored answer to a request, see {@link RequestAnswers}. Then no order has that id, and none ever will.
 */
@Aggregate(type = "order", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class RaffleOrder {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable RaffleOrderProgress order;

    RaffleOrder() {}

    /** Creates an order that is drawn later. */
    RaffleOrder(RaffleOrderCreated created) {
        apply(created);
    }

    /** Creates an order that is an entry of a pool. */
    RaffleOrder(EntryMade entry) {
        apply(entry);
    }

    /** Creates an order that is drawn at once, when its chance is spent. */
    RaffleOrder(DrawDecisionInput due, DrawDecider drawing) {
        store(drawing.draw(due));
    }

    /** Creates an order that will never be drawn, because its request had waited in the queue and was refused. */
    RaffleOrder(RaffleOrderRefused refused) {
        apply(refused);
    }

    /** Uses the id for the stored answer to a request. No order is created. */
    RaffleOrder(RequestAnswered answered) {
        apply(answered);
    }

    @CommandHandler
    Answer<DrawRequestResult> handle(
            DrawRaffleOrder draw, ActivityCache activities, AccountOutcomeBooker accounts, DrawDecider drawing) {
        return requireOpen(draw)
                .then(open -> activities.findOpen(open.accountId().activityId()))
                .then(activity -> {
                    PriorDraws before = accounts.use(draw.accountId(), draw.orderId(), activity);
                    DrawResult drawn = store(
                            drawing.draw(new DrawDecisionInput(draw.accountId(), draw.orderId(), before, activity)));
                    RequestAnswers.keep(draw.request(), draw.accountId(), Wish.DRAW_ORDER, draw.orderId());
                    return Answer.done(new DrawRequestResult(List.of(drawn), null));
                });
    }

    /** Cancels the order, even if the activity is no longer open, because an unused chance is given back. */
    @CommandHandler
    Answer<RaffleOrderId> handle(CancelRaffleOrder cancel, AccountOutcomeBooker accounts, InstantSource clock) {
        return requireOpen(cancel).then(open -> {
            accounts.cancel(cancel.accountId(), cancel.orderId());
            apply(new RaffleOrderCancelled(cancel.orderId(), open.accountId().userId(), clock.instant()));
            RequestAnswers.keep(cancel.request(), cancel.accountId(), Wish.CANCEL, cancel.orderId());
            return Answer.done(cancel.orderId());
        });
    }

    /**
     * Returns the order if it is open and belongs to this account. A request with the key under which the order was
     * created is refused.
     */
    private Answer<RaffleOrderProgress> requireOpen(RaffleCommand<?> command) {
        if (command.request().id().equals(command.orderId())) {
            return Answer.no(
                    new Refused(Refusal.KEY_REUSED, command.request().id().text()));
        }
        if (order == null || !order.accountId().equals(command.accountId())) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, command.orderId().text()));
        }
        return switch (order.state()) {
            case CREATED -> Answer.done(order);
            case USED, ENTERED ->
                Answer.no(new Refused(Refusal.ORDER_USED, command.orderId().text()));
            case CANCELLED ->
                Answer.no(new Refused(Refusal.ORDER_CANCELLED, command.orderId().text()));
            // An order that waits in the queue has no events, so it cannot be found here. An order that was refused is
            // treated as missing.
            case QUEUED, REFUSED ->
                Answer.no(new Refused(Refusal.NOT_FOUND, command.orderId().text()));
        };
    }

    void giveBack(Instant now) {
        if (order == null || order.state() != RaffleOrderState.ENTERED) {
            throw new ConcurrencyException(id + " was given back elsewhere");
        }
        apply(new RaffleOrderCancelled(order.orderId(), order.accountId().userId(), now));
    }

    /**
     * Draws the order. The account has found the order open in its own state, and has already booked the draw. But that
     * state may be too old. If this aggregate shows that the order is not open any more, another node has just drawn or
     * cancelled it. Then the command fails with a conflict.
     */
    DrawResult draw(DrawDecisionInput due, DrawDecider drawing) {
        if (order == null || order.state() != RaffleOrderState.CREATED) {
            throw new ConcurrencyException(id + " was ended elsewhere, and its account as it is known here is too old");
        }
        return store(drawing.draw(due));
    }

    /**
     * Stores the event of the draw first, and then the event of the award that it wins. The log has them in this
     * sequence.
     */
    private static DrawResult store(DrawDecider.DrawEvents result) {
        AwardWon won = result.won();
        apply(result.drawn()).andThen(() -> {
            if (won != null) {
                AggregateCreator.create(AwardRecord.class, () -> new AwardRecord(won));
            }
        });
        return DrawResult.of(result.drawn());
    }

    DrawResult drawn() {
        RaffleDrawn drawn = order == null ? null : order.drawn();
        if (drawn == null) {
            throw new IllegalStateException(id + " is not drawn");
        }
        return DrawResult.of(drawn);
    }

    @EventSourcingHandler
    void on(RaffleEvent event) {
        id = event.orderId().text();
        order = RaffleOrderProgress.after(order, event);
    }
}
