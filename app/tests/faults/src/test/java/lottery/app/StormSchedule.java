package lottery.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The faults of one round of a storm, in the order of their beginnings. They overlap. The same seed gives the same
 * ones, and no part of the system has two at once.
 */
record StormSchedule(long seed, List<ScheduledFault> faults) {

    static final int NODES = 2;

    private static final int FAULTS_MIN = 3;

    /** All faults begin within this time. */
    private static final Duration SPAN = Duration.ofSeconds(6);

    private static final Duration LASTS_MIN = Duration.ofMillis(200);

    /** Longer than the claim of a processor, so that another process takes over in the meantime. */
    private static final Duration LASTS_MAX = Duration.ofSeconds(13);

    /** The parts of the system, of which each can have a fault of its own. */
    private enum SystemPart {
        FIRST_PROCESS,
        SECOND_PROCESS,
        FIRST_LINK,
        SECOND_LINK,
        DATABASE,
        REDIS,
        BROKER
    }

    enum FaultKind {
        /** {@code kill -9}, and a new process after a while. */
        KILLED,
        /** A process is asked to end, and a new one begins after a while. */
        ENDED,
        /** {@code SIGSTOP}, and {@code SIGCONT} after a while. */
        FROZEN,
        /** The way between a process and PostgreSQL carries nothing for a while. */
        CUT_OFF,
        /** PostgreSQL ends all connections of the lottery. */
        CONNECTIONS_ENDED,
        /** One process of PostgreSQL dies, so that PostgreSQL ends all others and recovers from its log. */
        DATABASE_CRASHED,
        REDIS_FLUSHED,
        /** Redis is killed and started again. */
        REDIS_KILLED,
        /** Kafka stops, and is there again after a while. */
        BROKER_AWAY
    }

    /**
     * One fault.
     *
     * @param node the process that it concerns, from 0
     * @param begins after the begin of the round
     * @param lasts for a fault that lasts
     */
    record ScheduledFault(FaultKind kind, int node, Duration begins, Duration lasts) {

        @Override
        public String toString() {
            String where = switch (kind) {
                case KILLED, ENDED, FROZEN, CUT_OFF -> " " + node;
                default -> "";
            };
            return "%s%s at %d ms for %d ms".formatted(kind, where, begins.toMillis(), lasts.toMillis());
        }
    }

    static StormSchedule of(long seed) {
        Random random = new Random(seed);
        List<SystemPart> parts = new ArrayList<>(List.of(SystemPart.values()));
        Collections.shuffle(parts, random);
        List<ScheduledFault> faults = parts.subList(0, random.nextInt(FAULTS_MIN, parts.size() + 1)).stream()
                .map(part -> fault(part, random))
                .sorted(Comparator.comparing(ScheduledFault::begins))
                .toList();
        return new StormSchedule(seed, faults);
    }

    private static ScheduledFault fault(SystemPart part, Random random) {
        FaultKind kind = switch (part) {
            case FIRST_PROCESS, SECOND_PROCESS -> any(random, FaultKind.KILLED, FaultKind.ENDED, FaultKind.FROZEN);
            case FIRST_LINK, SECOND_LINK -> FaultKind.CUT_OFF;
            case DATABASE -> any(random, FaultKind.CONNECTIONS_ENDED, FaultKind.DATABASE_CRASHED);
            case REDIS -> any(random, FaultKind.REDIS_FLUSHED, FaultKind.REDIS_KILLED);
            case BROKER -> FaultKind.BROKER_AWAY;
        };
        return new ScheduledFault(
                kind,
                part == SystemPart.SECOND_PROCESS || part == SystemPart.SECOND_LINK ? 1 : 0,
                between(random, Duration.ZERO, SPAN),
                between(random, LASTS_MIN, LASTS_MAX));
    }

    private static FaultKind any(Random random, FaultKind... kinds) {
        return kinds[random.nextInt(kinds.length)];
    }

    private static Duration between(Random random, Duration min, Duration max) {
        return Duration.ofMillis(random.nextLong(min.toMillis(), max.toMillis()));
    }

    /** Returns the same schedule with only some of its faults, by their places in it: for the search for a cause. */
    StormSchedule only(Set<Integer> places) {
        return new StormSchedule(
                seed,
                IntStream.range(0, faults.size())
                        .filter(places::contains)
                        .mapToObj(faults::get)
                        .toList());
    }

    @Override
    public String toString() {
        return "-Dstorm.seed=%d %s".formatted(seed, faults);
    }
}
