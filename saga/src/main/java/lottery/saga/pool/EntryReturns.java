package lottery.saga.pool;

import java.util.List;
import java.util.stream.Collectors;
import lottery.api.account.AccountCommand.ReturnEntry;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.pool.PoolCommand.NoteEntriesReturned;
import lottery.api.pool.PoolId;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.saga.command.SagaCommands;
import lottery.store.axon.HistoryReader;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.axon.NamedNumberSeries.AssignedNumber;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.eventhandling.DomainEventMessage;
import org.springframework.stereotype.Component;

/** Gives the chances of the entries of a cancelled pool back, page by page. */
@Component
class EntryReturns {

    private static final int PAGE = 1_000;

    private final NamedNumberSeries series;
    private final HistoryReader history;

    EntryReturns(NamedNumberSeries series, HistoryReader history) {
        this.series = series;
        this.history = history;
    }

    /**
     * Sends a command for each entry of the next page whose chance is not given back yet. If all chances of the page
     * are given back, it sends a command that tells the pool so.
     *
     * @return whether there was a page
     */
    boolean sendAfterCommit(
            ActivityId activityId, int returnedUpTo, SagaCommands sagaCommands, CommandGateway gateway) {
        String pool = new PoolId(activityId).text();
        if (returnedUpTo == 0) {
            series.gather(pool);
        }
        List<AssignedNumber> page = series.above(pool, returnedUpTo, PAGE);
        if (page.isEmpty()) {
            return false;
        }
        List<ReturnEntry> open = history
                .eventsOf(page.stream().map(AssignedNumber::holder).toList())
                .stream()
                .collect(Collectors.groupingBy(DomainEventMessage::getAggregateIdentifier))
                .values()
                .stream()
                .flatMap(events -> open(events).stream())
                .toList();
        if (open.isEmpty()) {
            sagaCommands.sendAfterCommit(
                    new NoteEntriesReturned(activityId, page.getLast().number()), gateway);
        } else {
            open.forEach(back -> sagaCommands.sendAfterCommit(back, gateway));
        }
        return true;
    }

    private static List<ReturnEntry> open(List<DomainEventMessage<?>> events) {
        RaffleOrderProgress order = null;
        for (DomainEventMessage<?> event : events) {
            order = RaffleOrderProgress.after(order, (RaffleEvent) event.getPayload());
        }
        return order != null
                        && order.state() == RaffleOrderState.ENTERED
                        && events.getFirst().getPayload() instanceof EntryMade entry
                ? List.of(new ReturnEntry(new AccountId(entry.activityId(), entry.userId()), entry.orderId()))
                : List.of();
    }
}
