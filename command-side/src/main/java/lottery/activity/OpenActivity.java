package lottery.activity;

import java.time.Instant;
import java.time.LocalDate;

/**
 * An activity that is open for draws at this moment.
 *
 * @param now the moment of this check; one command decides everything at this moment
 */
public record OpenActivity(ActivityProgress progress, Instant now) {

    /** Returns the day by the clock, in the activity's zone. */
    public LocalDate day() {
        return progress.dayAt(now);
    }
}
