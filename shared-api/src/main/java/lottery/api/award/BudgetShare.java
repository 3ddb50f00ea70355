package lottery.api.award;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What a won award takes from the budget of its activity.
 *
 * @param amount the cost of the award
 * @param of the budget by which the draw was decided
 * @param day the day from whose budget it is taken, too; null if the activity has no budget per day
 */
public record BudgetShare(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal of,
        @Nullable LocalDate day) {

    /** Returns a share of the same budget that takes another amount. */
    public BudgetShare with(BigDecimal other) {
        return new BudgetShare(other, of, day);
    }
}
