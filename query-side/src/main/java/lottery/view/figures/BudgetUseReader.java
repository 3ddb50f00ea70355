package lottery.view.figures;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.Figures.BudgetUse;
import lottery.api.activity.StockId;
import lottery.store.axon.LimitedCounters;
import org.springframework.stereotype.Component;

/** Reads how much of a budget is spent, from the counter that changes in the commit of each win. */
@Component
class BudgetUseReader {

    private final LimitedCounters counters;

    BudgetUseReader(LimitedCounters counters) {
        this.counters = counters;
    }

    BudgetUse read(ActivityId activityId, Budget budget, LocalDate today) {
        String whole = StockId.ofBudget(activityId).counter();
        String ofToday = StockId.ofBudget(activityId, today).counter();
        Map<String, Long> taken = counters.taken(List.of(whole, ofToday));
        BigDecimal amount = budget.amount();
        BigDecimal spent = Budget.amountOf(taken.getOrDefault(whole, 0L));
        BigDecimal perDay = budget.perDay();
        BigDecimal spentToday = perDay == null ? null : Budget.amountOf(taken.getOrDefault(ofToday, 0L));
        return new BudgetUse(
                amount,
                spent,
                left(amount, spent),
                perDay,
                spentToday,
                perDay == null || spentToday == null ? null : left(perDay, spentToday));
    }

    private static BigDecimal left(BigDecimal amount, BigDecimal spent) {
        return amount.subtract(spent).max(BigDecimal.ZERO);
    }
}
