package lottery.view.account;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * How often a user has drawn on the last day of drawing.
 *
 * @param day none: never yet
 */
public record DrawsOfDay(@Nullable LocalDate day, int draws) {

    /**
     * A day on which nobody has drawn yet has no draws, whatever there was before. A draw on a later day was booked by
     * a clock that was ahead of this one, and it is that day already for the user.
     */
    public int on(LocalDate today) {
        return day == null || day.isBefore(today) ? 0 : draws;
    }
}
