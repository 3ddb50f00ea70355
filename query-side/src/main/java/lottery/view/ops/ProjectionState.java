package lottery.view.ops;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a read model is.
 *
 * @param position everything up to here is in it
 * @param head the newest event that there is
 * @param lag how many events it is behind
 * @param parked how many events wait because they could not be handled
 * @param replayable whether it can be built anew while the old one answers
 * @param replay none: it is not being built anew
 */
record ProjectionState(
        String name,
        long position,
        long head,
        long lag,
        long parked,
        boolean replayable,
        @Nullable ReplayProgress replay) {

    /**
     * How far the new one is.
     *
     * @param percent of the events that there are
     * @param eventsPerSecond of the log, since the process that is at it has begun; none: nobody is at it yet
     * @param secondsLeft at this speed
     * @param failedBecause it has stopped, and the old one stays; none: it goes on
     */
    record ReplayProgress(
            long position,
            double percent,
            @Nullable Long eventsPerSecond,
            @Nullable Long secondsLeft,
            Instant begunAt,
            @Nullable String failedBecause) {}
}
