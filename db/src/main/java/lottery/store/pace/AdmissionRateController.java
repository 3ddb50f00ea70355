package lottery.store.pace;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many units of work may begin a second, by the latest readings. There is no limit while all processors
 * follow. When one falls behind, as many units may begin as it handles events of. The further behind it is, the fewer
 * may begin, but never less than half. A processor that catches up, after an outage for example, must not keep
 * everybody out. A processor that does not move at all is ignored, because a limit would not help it.
 */
final class AdmissionRateController {

    static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** The time over which speeds are measured, once a processor has had enough to do for so long. */
    private static final Duration STRETCH = Duration.ofSeconds(2);

    /** The shortest time over which a speed is measured. Over less, a large batch would look like a stop. */
    private static final Duration STRETCH_MIN = Duration.ofMillis(700);

    /** The greatest age of a reading. An older one says nothing, even if none has followed. */
    private static final Duration MEMORY = Duration.ofSeconds(10);

    /**
     * A slower processor does not have too much to do, but fails again and again. It would not be faster if fewer units
     * began.
     */
    private static final double SPEED_MIN = 200;

    /**
     * A processor that keeps up is never that far behind. One of another process with nothing to do reports its
     * position only after 2,000 events.
     */
    private static final long BEHIND_MIN = 2_500;

    /** A processor is behind if its own speed needs longer than that for the events that it has left. */
    private static final double BEHIND_SECONDS = 0.5;

    private static final double SHARE_MIN = 0.5;

    /**
     * Events a second that a processor of a new process is assumed to handle. It is measured at fewer until its code is
     * compiled; nobody is refused because of that.
     */
    static final double COLD_SPEED = 8_000;

    /** How long that assumption holds in full. It then fades until twice as long. */
    private static final Duration COLD = Duration.ofSeconds(15);

    /** Events behind, since the first reading, at which the assumption begins to fade. It ends at twice as many. */
    private static final long COLD_BEHIND_MAX = 20_000;

    /** The factor by which a limit that is not needed any more grows at each look. */
    private static final double RELIEF = 1.2;

    /** The lowest limit, so that nobody is shut out for good. */
    private static final double LIMIT_MIN = 10;

    private static final double EVENTS_PER_UNIT_MAX = 100;
    private static final int UNITS_TO_MEASURE_MIN = 10;

    private final double coldSpeed;
    private final Deque<ProgressReading> lately = new ArrayDeque<>();
    private double eventsPerUnit = 10;
    private double limit = UNLIMITED;
    private long unlimitedAtNanos = Long.MIN_VALUE;
    private @Nullable Long firstNanos;
    private final Map<String, Long> behindAtFirst = new HashMap<>();

    /**
     * @param coldSpeed events a second that a processor of a new process is assumed to handle; 0 if the process is not
     *     new
     */
    AdmissionRateController(double coldSpeed) {
        this.coldSpeed = coldSpeed;
    }

    /**
     * Returns how many units may begin a second from now on.
     *
     * @param hasDelayed whether the limit has held up anybody since the previous look
     */
    double limit(ProgressReading now, boolean hasDelayed) {
        remember(now);
        double expected = coldSpeed(now.atNanos());
        List<Follower> behind = now.positions().entrySet().stream()
                .map(each -> follower(each.getKey(), each.getValue(), now, expected))
                .filter(Follower::isBehind)
                .toList();
        if (behind.stream().noneMatch(Follower::catchesUp)) {
            measureUnits(now);
        }
        OptionalDouble bearable =
                behind.stream().mapToDouble(Follower::bearable).min();
        if (bearable.isPresent()) {
            limit = Math.max(LIMIT_MIN, bearable.getAsDouble() / eventsPerUnit);
        } else {
            limit = hasDelayed ? limit * RELIEF : UNLIMITED;
        }
        if (limit == UNLIMITED) {
            unlimitedAtNanos = now.atNanos();
        }
        return limit;
    }

    /** Forgets all readings. Between them and the next one nobody came, and processors may have been quiet. */
    void forget() {
        lately.clear();
    }

    /** Keeps the readings, one of which is always as old as the time to measure, however rarely somebody looks. */
    private void remember(ProgressReading now) {
        lately.addLast(now);
        Iterator<ProgressReading> second = lately.iterator();
        second.next();
        while (second.hasNext() && isOlder(second.next(), now, STRETCH)) {
            lately.removeFirst();
            second = lately.iterator();
            second.next();
        }
        if (isOlder(lately.getFirst(), now, MEMORY)) {
            lately.removeFirst();
        }
    }

    private static boolean isOlder(ProgressReading reading, ProgressReading now, Duration age) {
        return now.atNanos() - reading.atNanos() > age.toNanos();
    }

    /**
     * Measures how many events a unit leads to. Events of other processes count, so that each process admits its share.
     * A processor that catches up writes events of old units, which say nothing of the current ones.
     */
    private void measureUnits(ProgressReading now) {
        ProgressReading before = lately.getFirst();
        long units = now.begun() - before.begun();
        if (units >= UNITS_TO_MEASURE_MIN) {
            eventsPerUnit = Math.clamp((double) (now.head() - before.head()) / units, 1, EVENTS_PER_UNIT_MAX);
        }
    }

    /** Returns the events a second that a processor is assumed to handle at least, if it keeps up. */
    private double coldSpeed(long atNanos) {
        if (firstNanos == null) {
            firstNanos = atNanos;
        }
        double age = (double) (atNanos - firstNanos) / COLD.toNanos();
        return coldSpeed * Math.clamp(2 - age, 0, 1);
    }

    /**
     * The state of one processor.
     *
     * @param seen events a second that it was measured at
     * @param believed events a second that it is assumed to handle
     * @param behind events that it is behind
     */
    private record Follower(double seen, double believed, long behind) {

        double allowed() {
            return Math.max(BEHIND_MIN, BEHIND_SECONDS * believed);
        }

        /** Returns whether it is too far behind, but moves on. */
        boolean isBehind() {
            return seen >= SPEED_MIN && behind > allowed();
        }

        private double share() {
            return Math.clamp(1.1 - 0.1 * behind / allowed(), SHARE_MIN, 1);
        }

        boolean catchesUp() {
            return share() == SHARE_MIN;
        }

        /** Returns how many new events a second it can take. */
        double bearable() {
            return share() * believed;
        }
    }

    private Follower follower(String processor, long position, ProgressReading now, double expected) {
        double seen = speed(processor, position, now);
        long behind = now.head() - position;
        long since = behind - behindAtFirst.computeIfAbsent(processor, _ -> behind);
        double trust = Math.clamp(2 - (double) since / COLD_BEHIND_MAX, 0, 1);
        return new Follower(seen, Math.max(seen, trust * expected), behind);
    }

    /**
     * Returns its speed in events a second since it has had enough to do. Before, it was no faster than what came. The
     * speed is 0 if that time is too short to tell.
     */
    private double speed(String processor, long position, ProgressReading now) {
        @Nullable ProgressReading since = null;
        for (ProgressReading reading : lately) {
            if (!hasEnough(processor, reading)) {
                since = null;
            } else if (since == null) {
                since = reading;
            }
        }
        if (since == null || !isOlder(since, now, STRETCH_MIN)) {
            return 0;
        }
        long from = Objects.requireNonNull(since.positions().get(processor));
        return (position - from) * 1e9 / (now.atNanos() - since.atNanos());
    }

    /**
     * Returns whether a processor had enough to do: it was behind, or others were held up because of the processors.
     */
    private boolean hasEnough(String processor, ProgressReading reading) {
        Long position = reading.positions().get(processor);
        return position != null && (reading.atNanos() > unlimitedAtNanos || reading.head() - position >= BEHIND_MIN);
    }
}
