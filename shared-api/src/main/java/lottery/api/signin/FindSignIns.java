package lottery.api.signin;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.Query;
import lottery.api.UserId;

/**
 * Asks for the days of a month on which a user has signed in.
 *
 * @param today the current day of the user
 */
public record FindSignIns(UserId userId, YearMonth month, LocalDate today) implements Query<SignInCalendar> {}
