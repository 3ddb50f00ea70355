package lottery.saga;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import lottery.api.Answer;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleOrderId;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** Replaces the accounts of the command side, as far as they have open orders. */
class OpenOrders {

    private static final LocalDate DAY = LocalDate.parse("2050-01-01");

    private final EventStore events;
    private final List<RaffleOrderId> cancelled = new ArrayList<>();
    private final Set<RaffleOrderId> failing = ConcurrentHashMap.newKeySet();
    private final Map<AccountId, Long> sequences = new ConcurrentHashMap<>();

    OpenOrders(EventStore events) {
        this.events = events;
    }

    void create(AccountId account, RaffleOrderId order) {
        happens(
                "order",
                order.text(),
                0,
                new RaffleOrderCreated(order, account.activityId(), account.userId(), Instant.EPOCH));
    }

    void use(AccountId account, RaffleOrderId order) {
        happens(account, new OpenOrderUsed(account.activityId(), account.userId(), order, DAY));
    }

    /** Lets the next cancellation of this order fail. */
    void fail(RaffleOrderId order) {
        failing.add(order);
    }

    synchronized List<RaffleOrderId> cancelled() {
        return List.copyOf(cancelled);
    }

    @CommandHandler
    synchronized Answer<RaffleOrderId> handle(CancelRaffleOrder cancel) {
        RaffleOrderId order = cancel.orderId();
        if (failing.remove(order)) {
            throw new IllegalStateException("the database is away");
        }
        cancelled.add(order);
        AccountId account = cancel.accountId();
        happens(account, new ChanceReturned(account.activityId(), account.userId(), order, DAY));
        happens("order", order.text(), 1, new RaffleOrderCancelled(order, account.userId(), Instant.EPOCH));
        return Answer.done(order);
    }

    private void happens(AccountId account, Object event) {
        happens("account", account.text(), sequences.merge(account, 1L, Long::sum) - 1, event);
    }

    private void happens(String type, String id, long sequence, Object event) {
        events.publish(new GenericDomainEventMessage<>(type, id, sequence, event, Map.of()));
    }
}
