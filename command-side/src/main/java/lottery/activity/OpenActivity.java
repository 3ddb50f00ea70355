package lottery.activity;

import java.time.Instant;
import java.time.LocalDate;

/**
 * An activity that is open for draws at this moment.
 *
 * @param now when that was found out; everything that one command decides is decided at this moment
 */
public record OpenActivity(ActivityProgress progress, Instant now) {

    /** The day by the clock, in the activity's zone. */
    public LocalDate day() {
        return progress.dayAt(now);
    }
}
