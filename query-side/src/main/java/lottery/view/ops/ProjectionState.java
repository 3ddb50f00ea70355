package lottery.view.ops;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a read model.
 *
 * @param position the position up to which the read model has handled all events
 * @param head the position of the newest event
 * @param lag how many events of the log the read model has not handled yet
 * @param parked how many events are parked because they could not be handled
 * @param replayable whether the read model can be built anew while the old table still answers
 * @param replay the progress of the replay; null if the read model is not being built anew
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
     * The progress of a replay, which builds the new table.
     *
     * @param percent the percentage of all events that were handled
     * @param eventsPerSecond how many events of the log were handled per second since the replaying process began; null
     *     if no process replays yet
     * @param secondsLeft the seconds that are left at this speed
     * @param failedBecause why the replay has failed and the old table stays; null if the replay has not failed
     */
    record ReplayProgress(
            long position,
            double percent,
            @Nullable Long eventsPerSecond,
            @Nullable Long secondsLeft,
            Instant begunAt,
            @Nullable String failedBecause) {}
}
