package lottery.view.account;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * How often a user has drawn on the last day of drawing.
 *
 * @param day none: never yet
 * @param version the sequence number of the newest event of the account that this includes; -1: none
 */
public record DrawsOfDay(@Nullable LocalDate day, int draws, long version) {

    public static final DrawsOfDay NONE = new DrawsOfDay(null, 0, AccountRow.UNBORN);

    /**
     * A day on which nobody has drawn yet has no draws, whatever there was before. A draw on a later day was booked by
     * a clock that was ahead of this one, and it is that day already for the user.
     */
    public int on(LocalDate today) {
        return day == null || day.isBefore(today) ? 0 : draws;
    }
}
