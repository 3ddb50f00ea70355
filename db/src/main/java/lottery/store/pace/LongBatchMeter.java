package lottery.store.pace;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Measures the speed of a busy processor that needs seconds for each batch. Within two seconds, such a processor moves
 * once or not at all, so it would seem to stand still.
 */
final class LongBatchMeter {

    private static final Duration WINDOW = Duration.ofSeconds(30);

    /** After a longer time without a reading, nobody knows whether the processor was busy. */
    private static final Duration BLIND_MAX = Duration.ofSeconds(10);

    private static final Duration BATCH_TIME_MIN = Duration.ofSeconds(2);

    /**
     * The least events of a batch. A processor that fails again and again usually handles fewer, because its batches
     * become smaller.
     */
    private static final long BATCH_EVENTS_MIN = 250;

    private final Deque<PositionReading> readings = new ArrayDeque<>();

    private record PositionReading(long atNanos, long position) {

        long nanosUntil(PositionReading later) {
            return later.atNanos - atNanos;
        }
    }

    /** Takes the position of the processor at a moment. */
    void read(long atNanos, long position) {
        PositionReading now = new PositionReading(atNanos, position);
        if (!readings.isEmpty() && readings.getLast().nanosUntil(now) > BLIND_MAX.toNanos()) {
            forget();
        }
        readings.addLast(now);
        while (readings.getFirst().nanosUntil(now) > WINDOW.toNanos()) {
            readings.removeFirst();
        }
    }

    /** Forgets all readings, because the processor was idle. */
    void forget() {
        readings.clear();
    }

    /**
     * Returns the events per second between the ends of the first and the last batch that it has seen. The result is 0
     * if it has seen fewer than two ends, or if the batches are short or small. It is also 0 if the processor has not
     * moved for twice the time of its longest batch.
     */
    double speed() {
        List<PositionReading> ends = ends();
        if (ends.size() < 2) {
            return 0;
        }
        PositionReading first = ends.getFirst();
        PositionReading last = ends.getLast();
        int batches = ends.size() - 1;
        long nanos = first.nanosUntil(last);
        long events = last.position - first.position;
        // Readings that are rarer than batches do not show how long a batch takes.
        boolean seesBatches = ends.size() * 2 <= readings.size();
        boolean hasLongBatches = nanos >= batches * BATCH_TIME_MIN.toNanos() && events >= batches * BATCH_EVENTS_MIN;
        boolean standsStill = last.nanosUntil(readings.getLast()) > 2 * longestNanos(ends);
        return seesBatches && hasLongBatches && !standsStill ? events * 1e9 / nanos : 0;
    }

    /** Returns the readings that were the first to show a new position. */
    private List<PositionReading> ends() {
        List<PositionReading> ends = new ArrayList<>();
        long position = readings.isEmpty() ? 0 : readings.getFirst().position;
        for (PositionReading each : readings) {
            if (each.position != position) {
                ends.add(each);
                position = each.position;
            }
        }
        return ends;
    }

    private static long longestNanos(List<PositionReading> ends) {
        long longest = 0;
        for (int i = 1; i < ends.size(); i++) {
            longest = Math.max(longest, ends.get(i - 1).nanosUntil(ends.get(i)));
        }
        return longest;
    }
}
