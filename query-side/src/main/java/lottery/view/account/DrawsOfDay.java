package lottery.view.account;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The number of a user's draws on his last day with a draw.
 *
 * @param day null if the user has never drawn
 */
public record DrawsOfDay(@Nullable LocalDate day, int draws) {

    /**
     * Returns the draws on a day; none if the last draw was before it. A draw on a later day was booked by a faster
     * clock, and it is that day already for the user.
     */
    public int on(LocalDate today) {
        return day == null || day.isBefore(today) ? 0 : draws;
    }
}
