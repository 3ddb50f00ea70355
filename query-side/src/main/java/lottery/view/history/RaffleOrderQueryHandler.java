package lottery.view.history;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.pool.PoolId;
import lottery.api.raffle.DrawPage;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.FindDraws;
import lottery.api.raffle.FindRaffleOrders;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderPage;
import lottery.api.raffle.RaffleOrderPage.ListedOrder;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.store.log.NamedNumberSeries;
import lottery.view.Paging.Page;
import org.axonframework.queryhandling.QueryHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

@Component
class RaffleOrderQueryHandler {

    /** The states in which an order may be an entry of a pool: it is in the pool, or its chance was given back. */
    private static final Set<RaffleOrderState> MAYBE_ENTRIES =
            Set.of(RaffleOrderState.ENTERED, RaffleOrderState.CANCELLED);

    private final AccountOrderReader accounts;
    private final NamedNumberSeries entries;

    RaffleOrderQueryHandler(AccountOrderReader accounts, NamedNumberSeries entries) {
        this.accounts = accounts;
        this.entries = entries;
    }

    @QueryHandler
    DrawPage answer(FindDraws query) {
        Page<RaffleOrderProgress> page = accounts.page(
                new AccountId(query.activityId(), query.userId()),
                query.cursor(),
                query.limit(),
                RaffleOrderQueryHandler::drawn);
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

    @QueryHandler
    RaffleOrderPage answer(FindRaffleOrders query) {
        Page<RaffleOrderProgress> page = accounts.page(
                new AccountId(query.activityId(), query.userId()),
                query.cursor(),
                query.limit(),
                event -> event instanceof ChanceSpent spent ? spent.orderId() : null);
        Map<String, Integer> numbers = entries.numbersOf(
                new PoolId(query.activityId()).text(),
                page.items().stream()
                        .filter(order -> MAYBE_ENTRIES.contains(order.state()))
                        .map(order -> order.orderId().text())
                        .toList());
        return new RaffleOrderPage(
                page.each(order ->
                        ListedOrder.of(order, numbers.get(order.orderId().text()))),
                page.next());
    }
}
