package lottery.view.reconciliation;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/**
 * The sums of a statement, beside the sums that the lottery knows about the same day.
 *
 * @param zone the zone of the day
 * @param lines the lines of the statement; parts of the same money count once
 * @param differences how many differences of this day nobody has explained
 */
record StatementSummary(
        String provider, LocalDate day, ZoneId zone, long lines, List<StatementSum> sums, long differences) {

    /**
     * The sums of one kind and currency.
     *
     * @param count how much money of this kind the lottery knows
     * @param statedCount how many lines of this kind the statement has
     */
    record StatementSum(
            StatementKind kind,
            String currency,
            long count,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
            long statedCount,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal statedAmount) {}

    StatementSummary {
        sums = List.copyOf(sums);
    }
}
