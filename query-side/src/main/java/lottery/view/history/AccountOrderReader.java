package lottery.view.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.pool.PoolId;
import lottery.api.raffle.DrawPage;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderPage;
import lottery.api.raffle.RaffleOrderPage.ListedOrder;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.store.axon.HistoryReader;
import lottery.store.axon.NamedNumberSeries;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the draws and orders of an account from the log, backwards, one page at a time. */
@Component
class AccountOrderReader {

    /**
     * Asks for the draws that a user has made, whatever they won, the newest first.
     *
     * @param cursor where the previous page ended; null for the first page
     */
    record FindDraws(AccountId account, @Nullable String cursor, int limit) implements Query<DrawPage> {}

    /**
     * Asks for the orders that a user has spent a chance for, the newest chance first.
     *
     * @param cursor where the previous page ended; null for the first page
     */
    record FindRaffleOrders(AccountId account, @Nullable String cursor, int limit) implements Query<RaffleOrderPage> {}

    /** The states in which an order may be an entry of a pool: it is in the pool, or its chance was given back. */
    private static final Set<RaffleOrderState> MAYBE_ENTRIES =
            Set.of(RaffleOrderState.ENTERED, RaffleOrderState.CANCELLED);

    /** The number of events in one read. */
    private static final int EVENTS_PER_READ = 100;

    /**
     * The most events that are read for one page. If they contain too few orders for a whole page, the page is shorter
     * than requested, and still has a next page.
     */
    private static final int EVENTS_PER_PAGE_MAX = 1_000;

    private final HistoryReader log;
    private final NamedNumberSeries entries;

    AccountOrderReader(HistoryReader log, NamedNumberSeries entries) {
        this.log = log;
        this.entries = entries;
    }

    /** An order and its place in the event stream of the account. */
    private record SequencedOrder(RaffleOrderId orderId, long sequence) {

        String cursor() {
            return new PageCursor(sequence).text();
        }
    }

    DrawPage answer(FindDraws query) {
        Page<RaffleOrderProgress> page =
                page(query.account(), query.cursor(), query.limit(), AccountOrderReader::drawn);
        List<DrawResult> draws = page.items().stream()
                .flatMap(order -> Stream.ofNullable(order.drawn()))
                .map(DrawResult::of)
                .toList();
        return new DrawPage(draws, page.next());
    }

    /**
     * Returns the order that was drawn in the commit of an event; null if none was. Either the event spent the chance
     * of this order, or the order was open before.
     */
    private static @Nullable RaffleOrderId drawn(AccountEvent event) {
        return switch (event) {
            case ChanceSpent spent when !spent.open() -> spent.orderId();
            case OpenOrderUsed used -> used.orderId();
            case AccountEvent _ -> null;
        };
    }

    RaffleOrderPage answer(FindRaffleOrders query) {
        Page<RaffleOrderProgress> page = page(
                query.account(),
                query.cursor(),
                query.limit(),
                event -> event instanceof ChanceSpent spent ? spent.orderId() : null);
        Map<String, Integer> numbers = entries.numbersOf(
                new PoolId(query.account().activityId()).text(),
                page.items().stream()
                        .filter(order -> MAYBE_ENTRIES.contains(order.state()))
                        .map(order -> order.orderId().text())
                        .toList());
        return new RaffleOrderPage(
                page.each(order ->
                        ListedOrder.of(order, numbers.get(order.orderId().text()))),
                page.next());
    }

    /**
     * Returns a page of orders as they are now.
     *
     * @param wanted returns the order that an event adds to the list; null if the event adds none
     */
    private Page<RaffleOrderProgress> page(
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
