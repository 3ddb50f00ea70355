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
 * Decides from the latest readings how many units of work may begin per second. There is no limit while all processors
 * keep up. When a processor falls behind, only so many units may begin that it can handle their events. The further
 * behind the processor is, the fewer units may begin, down to half of what it can handle. Half is the least, because a
 * processor that catches up after an outage must not keep all callers out. A processor that stands still is ignored,
 * because a limit would not help it.
 */
final class AdmissionRateController {

    static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /**
     * The time over which a processor's speed is measured. It is shorter if the processor has been busy for less time.
     */
    private static final Duration STRETCH = Duration.ofSeconds(2);

    /**
     * The shortest time over which a speed is measured. Within a shorter time, a processor that handles one large batch
     * would seem to stand still.
     */
    private static final Duration STRETCH_MIN = Duration.ofMillis(700);

    /** The greatest age of a reading. An older reading is ignored, even if there is no newer one. */
    private static final Duration MEMORY = Duration.ofSeconds(10);

    /**
     * The lowest speed, in events per second, of a processor that can lead to a limit. A slower processor is not
     * overloaded: it fails again and again, and would not become faster if fewer units began. A processor with long
     * batches may be slower ({@link LongBatchMeter}).
     */
    private static final double SPEED_MIN = 200;

    /**
     * A processor counts as behind only if at least this many events are left. A processor that keeps up never has so
     * many left: even with nothing to do, a processor of another process reports its position every 2,000 events.
     */
    private static final long BEHIND_MIN = 2_500;

    /** A processor is behind if it needs longer than this, at its own speed, for its remaining events. */
    private static final double BEHIND_SECONDS = 0.5;

    private static final double SHARE_MIN = 0.5;

    /**
     * Events per second that a processor of a new process is assumed to handle. The measured speed is lower until the
     * code is compiled, and no caller shall be refused because of this low speed.
     */
    static final double COLD_SPEED = 8_000;

    /** How long the assumed speed of a new process counts in full. Then this speed decreases to 0 at twice the time. */
    private static final Duration COLD = Duration.ofSeconds(15);

    /**
     * If a processor has fallen behind by more events than this since the first reading, its assumed speed decreases.
     * It is 0 at twice as many events.
     */
    private static final long COLD_BEHIND_MAX = 20_000;

    /** The factor by which a limit grows at each look when it is not needed any more. */
    private static final double RELIEF = 1.2;

    /** The lowest limit, so that callers are never shut out completely. */
    private static final double LIMIT_MIN = 10;

    private static final double EVENTS_PER_UNIT_MAX = 100;
    private static final int UNITS_TO_MEASURE_MIN = 10;

    private final double coldSpeed;
    private final Deque<ProgressReading> lately = new ArrayDeque<>();
    private final Map<String, LongBatchMeter> longBatches = new HashMap<>();
    private double eventsPerUnit = 10;
    private double limit = UNLIMITED;
    private long unlimitedAtNanos = Long.MIN_VALUE;
    private @Nullable Long firstNanos;
    private final Map<String, Long> behindAtFirst = new HashMap<>();

    /**
     * @param coldSpeed the events per second that a processor of a new process is assumed to handle; 0 if the process
     *     is not new
     */
    AdmissionRateController(double coldSpeed) {
        this.coldSpeed = coldSpeed;
    }

    /**
     * Returns how many units may begin per second from now on.
     *
     * @param hasDelayed whether the limit has delayed any caller since the previous look
     */
    double limit(ProgressReading now, boolean hasDelayed) {
        remember(now);
        double expected = coldSpeed(now.atNanos());
        List<ProcessorLoad> behind = now.positions().entrySet().stream()
                .map(each -> follower(each.getKey(), each.getValue(), now, expected))
                .filter(ProcessorLoad::isBehind)
                .toList();
        if (behind.stream().noneMatch(ProcessorLoad::catchesUp)) {
            measureUnits(now);
        }
        OptionalDouble bearable =
                behind.stream().mapToDouble(ProcessorLoad::bearable).min();
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

    /**
     * Forgets the latest readings. It is called when no unit has begun since the latest one, because processors may
     * have been idle since then.
     */
    void forget() {
        lately.clear();
    }

    /**
     * Adds a reading, and drops old ones. It keeps one reading that is older than {@link #STRETCH} but not older than
     * {@link #MEMORY}, so that speeds can be measured even if readings are rare.
     */
    private void remember(ProgressReading now) {
        now.positions().forEach((processor, position) -> remember(processor, position, now));
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

    private void remember(String processor, long position, ProgressReading now) {
        LongBatchMeter meter = longBatches.computeIfAbsent(processor, _ -> new LongBatchMeter());
        if (hasEnough(processor, now)) {
            meter.read(now.atNanos(), position);
        } else {
            meter.forget();
        }
    }

    private static boolean isOlder(ProgressReading reading, ProgressReading now, Duration age) {
        return now.atNanos() - reading.atNanos() > age.toNanos();
    }

    /**
     * Measures how many events a unit leads to. The events of other processes count as well, so that each process
     * admits only its share of the units. It is not called while a processor catches up: that processor writes events
     * of old units, which say nothing about the current ones.
     */
    private void measureUnits(ProgressReading now) {
        ProgressReading before = lately.getFirst();
        long units = now.begun() - before.begun();
        if (units >= UNITS_TO_MEASURE_MIN) {
            eventsPerUnit = Math.clamp((double) (now.head() - before.head()) / units, 1, EVENTS_PER_UNIT_MAX);
        }
    }

    /** Returns how many events per second a processor is assumed to handle at least, if it keeps up. */
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
     * @param isAtWork whether it handles events without failing again and again
     * @param believed its assumed speed in events per second
     * @param behind how many events it is behind
     */
    private record ProcessorLoad(boolean isAtWork, double believed, long behind) {

        double allowed() {
            return Math.max(BEHIND_MIN, BEHIND_SECONDS * believed);
        }

        /** Returns whether it is too far behind but still makes progress. */
        boolean isBehind() {
            return isAtWork && behind > allowed();
        }

        private double share() {
            return Math.clamp(1.1 - 0.1 * behind / allowed(), SHARE_MIN, 1);
        }

        boolean catchesUp() {
            return share() == SHARE_MIN;
        }

        /** Returns how many new events per second it can take. */
        double bearable() {
            return share() * believed;
        }
    }

    private ProcessorLoad follower(String processor, long position, ProgressReading now, double expected) {
        double ofBatches = Objects.requireNonNull(longBatches.get(processor)).speed();
        double seen = ofBatches > 0 ? ofBatches : speed(processor, position, now);
        long behind = now.head() - position;
        long since = behind - behindAtFirst.computeIfAbsent(processor, _ -> behind);
        double trust = Math.clamp(2 - (double) since / COLD_BEHIND_MAX, 0, 1);
        return new ProcessorLoad(ofBatches > 0 || seen >= SPEED_MIN, Math.max(seen, trust * expected), behind);
    }

    /**
     * Returns a processor's speed in events per second, measured since it has been busy. Before it was busy, its speed
     * only showed how many events came. The result is 0 if it has been busy for too short a time.
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

    /** Returns whether a processor was busy: it was behind, or callers were delayed because of the processors. */
    private boolean hasEnough(String processor, ProgressReading reading) {
        Long position = reading.positions().get(processor);
        return position != null && (reading.atNanos() > unlimitedAtNanos || reading.head() - position >= BEHIND_MIN);
    }
}
