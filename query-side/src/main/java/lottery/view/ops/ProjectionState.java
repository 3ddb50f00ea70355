package lottery.view.ops;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a read model.
 *
 * @param position the position up to which it has handled all events
 * @param head the position of the newest event
 * @param lag how many events it is behind
 * @param parked how many events are parked because they could not be handled
 * @param replayable whether it can be built anew while the old one answers
 * @param replay null if it is not being built anew
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
     * The progress of the new table.
     *
     * @param percent of all events
     * @param eventsPerSecond events of the log since the replaying process has begun; null if no process replays yet
     * @param secondsLeft at this speed
     * @param failedBecause why it has stopped, in which case the old table stays; null if it goes on
     */
    record ReplayProgress(
            long position,
            double percent,
            @Nullable Long eventsPerSecond,
            @Nullable Long secondsLeft,
            Instant begunAt,
            @Nullable String failedBecause) {}
}
