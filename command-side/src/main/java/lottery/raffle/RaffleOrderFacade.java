package lottery.raffle;

import java.time.Instant;
import java.util.Optional;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.credit.CreditBooker;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.modelling.command.Repository;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * The raffle orders of all accounts. They are created and drawn in the account's unit of work, and read from their
 * events.
 */
@Component
public class RaffleOrderFacade {

    private final EventStore events;
    private final Repository<RaffleOrder> orders;
    private final DrawDecider drawing;
    private final CreditBooker creditBooker;

    RaffleOrderFacade(
            EventStore events,
            @Lazy @Qualifier("raffleOrderRepository") Repository<RaffleOrder> orders,
            DrawDecider drawing,
            CreditBooker creditBooker) {
        this.events = events;
        this.orders = orders;
        this.drawing = drawing;
        this.creditBooker = creditBooker;
    }

    /** Creates an order that is drawn later. */
    public void create(RaffleOrderCreated created) {
        AggregateCreator.create(RaffleOrder.class, () -> new RaffleOrder(created));
    }

    /** Creates an order that enters the pool of its activity. */
    public void create(EntryMade entry) {
        AggregateCreator.create(RaffleOrder.class, () -> new RaffleOrder(entry));
    }

    /** Cancels an order, whose account gives the chance back. */
    public void cancel(RaffleOrderId orderId, Instant now) {
        orders.load(orderId.text()).execute(order -> order.cancel(now));
    }

    /** Returns the event that made an order an entry; empty if the order is no entry. */
    public Optional<EntryMade> entry(RaffleOrderId orderId) {
        return EventStreams.<RaffleEvent>first(events, orderId.text())
                .filter(EntryMade.class::isInstance)
                .map(EntryMade.class::cast);
    }

    /** Requires that the budget of the activity does not pause its draws now. */
    public Answer<DrawableActivity> requireBudget(DrawableActivity activity) {
        return drawing.requireBudget(activity);
    }

    public DecidedDraw decide(DrawDecisionInput due) {
        return drawing.draw(due);
    }

    /** Creates an order that is drawn at once. */
    public DrawResult draw(DecidedDraw draw) {
        AggregateCreator.create(RaffleOrder.class, () -> new RaffleOrder(draw));
        return granted(draw);
    }

    /** Returns whether the request with this id has an order or an answer. */
    public boolean isKnown(RaffleOrderId id) {
        return events.lastSequenceNumberFor(id.text()).isPresent();
    }

    /** Stores that a request was refused after it had waited in the queue. */
    public void refuse(RaffleOrderRefused refused) {
        AggregateCreator.createIn(orders, () -> new RaffleOrder(refused));
    }

    /** Draws an open order. */
    public DrawResult drawOpen(DecidedDraw draw) {
        orders.load(draw.drawn().orderId().text()).execute(order -> order.draw(draw));
        return granted(draw);
    }

    /** Books the credits that the draw has won, after the event of the win. */
    private DrawResult granted(DecidedDraw draw) {
        BookCredits credits = draw.credits();
        if (credits != null) {
            creditBooker.bookWin(credits);
        }
        return DrawResult.of(draw.drawn());
    }

    /**
     * Returns why an order cannot be drawn or cancelled, although its account has no such open order.
     *
     * @throws ConcurrencyException if the order is open: the account as it is known here is too old, and the command is
     *     handled again
     */
    public Refusal whyNotOpen(RaffleOrderId orderId, AccountId account) {
        return find(orderId)
                .filter(order -> order.accountId().equals(account))
                .map(order -> switch (order.state()) {
                    case USED, ENTERED -> Refusal.ORDER_USED;
                    case CANCELLED -> Refusal.ORDER_CANCELLED;
                    // An order that waits in the queue has no events. An order that was refused there counts as
                    // missing.
                    case QUEUED, REFUSED -> Refusal.NOT_FOUND;
                    case CREATED -> throw new ConcurrencyException(account + " does not know " + orderId + " here");
                })
                .orElse(Refusal.NOT_FOUND);
    }

    public Optional<RaffleOrderProgress> find(RaffleOrderId orderId) {
        return EventStreams.fold(events, orderId.text(), RaffleOrderProgress::after);
    }
}
