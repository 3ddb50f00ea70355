package lottery.view.figures;

import java.math.BigDecimal;
import java.time.LocalDate;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.Figures.BudgetUse;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads how much of a budget is spent, from the counter that changes in the commit of each win. */
@Component
class BudgetUseReader {

    private final JdbcClient database;

    BudgetUseReader(JdbcClient database) {
        this.database = database;
    }

    BudgetUse read(ActivityId activityId, Budget budget, LocalDate today) {
        BigDecimal amount = budget.amount();
        BigDecimal spent = spent("budget:" + activityId.value());
        BigDecimal perDay = budget.perDay();
        BigDecimal spentToday = perDay == null ? null : spent("budget:%d/%s".formatted(activityId.value(), today));
        return new BudgetUse(
                amount,
                spent,
                left(amount, spent),
                perDay,
                spentToday,
                perDay == null || spentToday == null ? null : left(perDay, spentToday));
    }

    private BigDecimal spent(String counter) {
        return Budget.amountOf(database.sql("SELECT taken FROM counter WHERE name = ?")
                .param(counter)
                .query(Long.class)
                .optional()
                .orElse(0L));
    }

    private static BigDecimal left(BigDecimal amount, BigDecimal spent) {
        return amount.subtract(spent).max(BigDecimal.ZERO);
    }
}
