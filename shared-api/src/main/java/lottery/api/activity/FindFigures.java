package lottery.api.activity;

import java.time.LocalDate;
import java.util.Optional;
import lottery.api.Query;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the figures of an activity. Without such an activity there is no answer. With one of the two days, it is the
 * first or the last of 30; with none, the last of 30 is today.
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
