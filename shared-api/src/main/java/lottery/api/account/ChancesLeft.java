package lottery.api.account;

import java.time.LocalDate;
import java.time.YearMonth;

/** A user's chances: granted, used and left, in total, this month and today. */
public record ChancesLeft(Tally total, MonthTally month, DayTally day) {

    public record Tally(int count, int used, int left) {}

    public record MonthTally(int count, int used, int left, YearMonth month) {}

    public record DayTally(int count, int used, int left, LocalDate day) {}
}
