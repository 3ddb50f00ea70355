package lottery.api.signin;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;

/**
 * The days of a month on which a user has signed in.
 *
 * @param today the current day of the user
 * @param days the days of the month, counted from 1
 * @param streak how many days in a row the user has signed in, up to the last day that counts. That day is today, or
 *     yesterday if the user has not signed in today. In a month that is over, that day is its last day. The streak is 0
 *     if the user did not sign in on that day.
 */
public record SignInCalendar(LocalDate today, YearMonth month, List<Integer> days, int streak) {

    public SignInCalendar {
        days = List.copyOf(days);
    }
}
