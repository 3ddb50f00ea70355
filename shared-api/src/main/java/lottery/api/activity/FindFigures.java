package lottery.api.activity;

import java.time.LocalDate;
import java.util.Optional;
import lottery.api.Query;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the figures of an activity by day. The answer is empty if there is no such activity. If only one day is
 * given, the answer has 30 days that begin or end with it. If no day is given, it has the 30 days up to today.
 *
 * @param from the first day, in the zone of the activity
 * @param to the last day
 */
public record FindFigures(
        ActivityId activityId,
        @Nullable LocalDate from,
        @Nullable LocalDate to) implements Query<Optional<Figures>> {

    public static final int DAYS_MAX = 366;
}
