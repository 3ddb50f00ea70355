package lottery.view.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.store.log.HistoryReader;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the orders of an account from the log, backwards, one page at a time. */
@Component
class AccountOrderReader {

    /** The number of events in one read. */
    private static final int EVENTS_PER_READ = 100;

    /**
     * The most events that are read for one page. If they contain too few orders for a whole page, the page is shorter
     * than requested, and still has a next page.
     */
    private static final int EVENTS_PER_PAGE_MAX = 1_000;

    private final HistoryReader log;

    AccountOrderReader(HistoryReader log) {
        this.log = log;
    }

    /** An order and its place in the event stream of the account. */
    private record SequencedOrder(RaffleOrderId orderId, long sequence) {

        String cursor() {
            return new PageCursor(sequence).text();
        }
    }

    /**
     * Returns a page of orders as they are now.
     *
     * @param wanted returns the order that an event adds to the list; null if the event adds none
     */
    Page<RaffleOrderProgress> page(
            AccountId account,
            @Nullable String cursor,
            int limit,
            Function<AccountEvent, @Nullable RaffleOrderId> wanted) {
        List<SequencedOrder> places = new ArrayList<>();
        long below = PageCursor.below(cursor);
        int read = 0;
        while (below > 0 && places.size() <= limit && read < EVENTS_PER_PAGE_MAX) {
            List<DomainEventMessage<?>> events = log.newestOf(account.text(), below, EVENTS_PER_READ);
            for (DomainEventMessage<?> event : events) {
                RaffleOrderId orderId = wanted.apply((AccountEvent) event.getPayload());
                if (orderId != null) {
                    places.add(new SequencedOrder(orderId, event.getSequenceNumber()));
                }
            }
            below = events.isEmpty() ? 0 : events.getLast().getSequenceNumber();
            read += EVENTS_PER_READ;
        }
        Page<SequencedOrder> page = Paging.pageOf(places, limit, SequencedOrder::cursor);
        return new Page<>(
                orders(page.each(SequencedOrder::orderId)),
                page.next() == null && below > 0 ? new PageCursor(below).text() : page.next());
    }

    private List<RaffleOrderProgress> orders(List<RaffleOrderId> ids) {
        Map<RaffleOrderId, @Nullable RaffleOrderProgress> orders = new LinkedHashMap<>();
        ids.forEach(id -> orders.put(id, null));
        log.eventsOf(ids.stream().map(RaffleOrderId::text).toList()).forEach(event -> {
            RaffleEvent about = (RaffleEvent) event.getPayload();
            orders.put(about.orderId(), RaffleOrderProgress.after(orders.get(about.orderId()), about));
        });
        return orders.values().stream().filter(Objects::nonNull).toList();
    }
}
