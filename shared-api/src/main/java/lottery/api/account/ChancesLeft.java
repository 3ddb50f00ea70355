package lottery.api.account;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;

/**
 * A user's chances: granted, used and left, in total, this month and today.
 *
 * @param openOrderId the order for which a chance was spent but that is not drawn yet
 */
public record ChancesLeft(
        TotalTally total,
        MonthTally month,
        DayChances day,
        @Nullable RaffleOrderId openOrderId) {

    public record TotalTally(int count, int used, int left) {}

    public record MonthTally(int count, int used, int left, YearMonth month) {}

    public record DayChances(int count, int used, int left, LocalDate day) {}
}
