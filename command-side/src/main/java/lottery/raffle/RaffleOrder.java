package lottery.raffle;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.award.AwardRecord;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One order, from the chance that it cost to its outcome. All commands go to its account, which changes the order in
 * its own unit of work.
 *
 * <p>Its id can be used once, so that a repeated request cannot become a second draw. An id can also be used by the
 * stored answer to a request, see {@link RequestAnswers}. Then no order has that id, and none ever will.
 */
@Aggregate(type = "order", lockFactory = "aggregateLocks")
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
    RaffleOrder(DecidedDraw draw) {
        store(draw);
    }

    /** Creates an order that will never be drawn, because its request had waited in the queue and was refused. */
    RaffleOrder(RaffleOrderRefused refused) {
        apply(refused);
    }

    /** Uses the id for the stored answer to a request. No order is created. */
    RaffleOrder(RequestAnswered answered) {
        apply(answered);
    }

    void draw(DecidedDraw draw) {
        requireIn(EnumSet.of(RaffleOrderState.CREATED));
        store(draw);
    }

    void cancel(Instant now) {
        RaffleOrderProgress open = requireIn(EnumSet.of(RaffleOrderState.CREATED, RaffleOrderState.ENTERED));
        apply(new RaffleOrderCancelled(open.orderId(), open.accountId().userId(), now));
    }

    /**
     * Returns the order, which must be in one of these states. The account has found it so in its own state. If that is
     * wrong, another node has just ended the order, and the command is handled again.
     */
    private RaffleOrderProgress requireIn(Set<RaffleOrderState> states) {
        if (order == null || !states.contains(order.state())) {
            throw new ConcurrencyException(id + " was ended elsewhere, and its account as it is known here is too old");
        }
        return order;
    }

    /**
     * Stores the event of the draw first, and then the event of the award that it wins. The log has them in this
     * sequence.
     */
    private static void store(DecidedDraw draw) {
        AwardWon won = draw.won();
        apply(draw.drawn()).andThen(() -> {
            if (won != null) {
                AggregateCreator.create(AwardRecord.class, () -> new AwardRecord(won));
            }
        });
    }

    @EventSourcingHandler
    void on(RaffleEvent event) {
        id = event.orderId().text();
        order = RaffleOrderProgress.after(order, event);
    }
}
