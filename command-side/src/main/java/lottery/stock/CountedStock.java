package lottery.stock;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.activity.ActivityId;
import lottery.api.activity.StockId;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentClosed;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.store.axon.LimitedCounters;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.springframework.stereotype.Component;

/**
 * Counts the taken units of each stock in PostgreSQL. The commit of a draw adds to the counter, and fails if no unit is
 * left. So a stock cannot be oversold, and a process that dies keeps nothing.
 */
@Component
@ProcessingGroup("caches")
class CountedStock implements StockUnitSource {

    private final LimitedCounters counters;

    CountedStock(LimitedCounters counters) {
        this.counters = counters;
    }

    @Override
    public Set<Integer> soldOut(ActivityId activityId, StrategyDefinition definition) {
        return definition.awards().stream()
                .filter(award -> isSoldOut(activityId, award))
                .map(AwardDefinition::awardId)
                .collect(Collectors.toSet());
    }

    private boolean isSoldOut(ActivityId activityId, AwardDefinition award) {
        Integer total = award.stock();
        return total != null && isShort(StockId.ofAward(activityId, award.awardId()), 1, total);
    }

    @Override
    public boolean isShort(StockId stockId, long units, long total) {
        return counters.isExhausted(stockId.counter(), units, total);
    }

    @Override
    public boolean isAllTaken(StockId stockId, int total) {
        String counter = stockId.counter();
        return counters.taken(List.of(counter)).getOrDefault(counter, 0L) >= total;
    }

    @Override
    public boolean take(StockId stockId, long units, long least, long total) {
        if (isShort(stockId, least, total)) {
            return false;
        }
        counters.take(stockId.counter(), units, total - (least - units));
        return true;
    }

    @Override
    public void giveBack(StockId stockId, long units) {
        counters.giveBack(stockId.counter(), units);
    }

    @EventHandler
    void on(AwardForfeited event) {
        counters.recheck();
    }

    @EventHandler
    void on(AwardVoided event) {
        counters.recheck();
    }

    @EventHandler
    void on(AwardCompensated event) {
        counters.recheck();
    }

    @EventHandler
    void on(MoneyTaken event) {
        counters.recheck();
    }

    @EventHandler
    void on(PaymentClosed event) {
        counters.recheck();
    }

    @EventHandler
    void on(RechargeClosed event) {
        counters.recheck();
    }

    @EventHandler
    void on(ChanceReturned event) {
        counters.recheck();
    }
}
