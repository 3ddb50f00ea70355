package lottery.store.pace;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many units of work may begin a second, by what was seen lately. There is no limit while all processors
 * follow. When one falls behind, as many units may begin as it handles events of, and somewhat fewer the further behind
 * it is, but half as many at least: whoever has much to catch up with, after an outage say, does not keep everybody
 * out. One that does not go on at all is waited for by nobody: it would not go on any sooner.
 */
final class AdmissionRateController {

    static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** So long speeds are measured; shorter than that, a large batch would look like a stop. */
    private static final Duration STRETCH = Duration.ofSeconds(2);

    /** What was seen longer ago says nothing, even if nothing was seen since. */
    private static final Duration MEMORY = Duration.ofSeconds(10);

    /**
     * Slower than that is nobody who has too much to do, but who fails again and again, and would not be faster if
     * fewer began.
     */
    private static final double SPEED_MIN = 200;

    /**
     * So far behind is nobody who keeps up: a processor of another process that has nothing to do says where it is
     * after 2,000 events only.
     */
    private static final long BEHIND_MIN = 2_500;

    /** Of its own speed: whoever needs longer than that to handle what there is falls behind. */
    private static final double BEHIND_SECONDS = 0.5;

    private static final double SHARE_MIN = 0.5;

    /**
     * Events a second that a processor of a process that has just begun is believed to handle. It is seen to handle
     * fewer while its code is not compiled yet; nobody is turned away because of that.
     */
    static final double COLD_SPEED = 8_000;

    /** For so long that is believed in full, and less and less until twice as long. */
    private static final Duration COLD = Duration.ofSeconds(15);

    /** Events behind, since the first reading, at which the belief begins to fade. It ends at twice as many. */
    private static final long COLD_BEHIND_MAX = 20_000;

    /** What a limit that nobody needs any more grows by from look to look. */
    private static final double RELIEF = 1.2;

    /** Nobody is shut out for good. */
    private static final double LIMIT_MIN = 10;

    private static final double EVENTS_PER_UNIT_MAX = 100;
    private static final int UNITS_TO_MEASURE_MIN = 10;

    private final double coldSpeed;
    private final Deque<ProgressReading> lately = new ArrayDeque<>();
    private double eventsPerUnit = 10;
    private double limit = UNLIMITED;
    private @Nullable Long firstNanos;
    private final Map<String, Long> behindAtFirst = new HashMap<>();

    /** @param coldSpeed what a processor is believed to handle when the process is new; 0 if it is not */
    AdmissionRateController(double coldSpeed) {
        this.coldSpeed = coldSpeed;
    }

    /**
     * Units that may begin a second from now on.
     *
     * @param isFelt whether the limit has held up anybody since the look before
     */
    double limit(ProgressReading now, boolean isFelt) {
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
            limit = isFelt ? limit * RELIEF : UNLIMITED;
        }
        return limit;
    }

    /** However rarely somebody looks, there is one to compare with that is as old as the stretch. */
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
     * What others write counts as well: then each of several processes lets in its share. While somebody catches up it
     * writes because of units of long ago, and nothing is learned of those of now.
     */
    private void measureUnits(ProgressReading now) {
        ProgressReading before = lately.getFirst();
        long units = now.begun() - before.begun();
        if (units >= UNITS_TO_MEASURE_MIN) {
            eventsPerUnit = Math.clamp((double) (now.head() - before.head()) / units, 1, EVENTS_PER_UNIT_MAX);
        }
    }

    /** Events a second that a processor is believed to handle at least, if it keeps up. */
    private double coldSpeed(long atNanos) {
        if (firstNanos == null) {
            firstNanos = atNanos;
        }
        double age = (double) (atNanos - firstNanos) / COLD.toNanos();
        return coldSpeed * Math.clamp(2 - age, 0, 1);
    }

    /**
     * How one processor does.
     *
     * @param seen events a second that it was seen to handle
     * @param believed events a second that it will handle
     * @param behind in events
     */
    private record Follower(double seen, double believed, long behind) {

        double allowed() {
            return Math.max(BEHIND_MIN, BEHIND_SECONDS * believed);
        }

        /** And goes on. */
        boolean isBehind() {
            return seen >= SPEED_MIN && behind > allowed();
        }

        private double share() {
            return Math.clamp(1.1 - 0.1 * behind / allowed(), SHARE_MIN, 1);
        }

        boolean catchesUp() {
            return share() == SHARE_MIN;
        }

        /** Events a second. */
        double bearable() {
            return share() * believed;
        }
    }

    private Follower follower(String processor, long position, ProgressReading now, double expected) {
        double seen = speed(processor, position, now.atNanos());
        long behind = now.head() - position;
        long since = behind - behindAtFirst.computeIfAbsent(processor, _ -> behind);
        double trust = Math.clamp(2 - (double) since / COLD_BEHIND_MAX, 0, 1);
        return new Follower(seen, Math.max(seen, trust * expected), behind);
    }

    /** In events a second, since it was seen first within the stretch. */
    private double speed(String processor, long position, long atNanos) {
        for (ProgressReading before : lately) {
            Long from = before.positions().get(processor);
            if (from != null && before.atNanos() < atNanos) {
                return (position - from) * 1e9 / (atNanos - before.atNanos());
            }
        }
        return 0;
    }
}
