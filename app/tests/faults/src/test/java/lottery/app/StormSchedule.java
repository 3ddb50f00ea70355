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
    private static final int FAULTS_MAX = 7;

    /** All faults begin within this time. */
    private static final Duration SPAN = Duration.ofSeconds(6);

    private static final Duration LASTS_MIN = Duration.ofMillis(200);

    /** Longer than the claim of a processor, so that another process takes over in the meantime. */
    private static final Duration LASTS_MAX = Duration.ofSeconds(13);

    /** How long TCP takes to find out that a server has forgotten a connection: 5 s without a word, and 3 probes. */
    private static final Duration KEEPALIVE = Duration.ofSeconds(14);

    /** The parts of the system, of which each can have a fault of its own. */
    enum SystemPart {
        FIRST_PROCESS(0),
        SECOND_PROCESS(1),
        FIRST_WAY_TO_POSTGRES(0),
        SECOND_WAY_TO_POSTGRES(1),
        FIRST_WAY_TO_REDIS(0),
        SECOND_WAY_TO_REDIS(1),
        WAYS_TO_KAFKA(0),
        POSTGRES(0),
        REDIS(0),
        KAFKA(0);

        private final int node;

        SystemPart(int node) {
            this.node = node;
        }

        /** Returns the process that it concerns, from 0. */
        int node() {
            return node;
        }
    }

    enum FaultKind {
        /** {@code kill -9}, and a new process after a while. */
        KILLED,
        /** A process is asked to end, and a new one begins after a while. */
        ENDED,
        /** {@code SIGSTOP}, and {@code SIGCONT} after a while. */
        FROZEN,
        /** The way to a server carries nothing for a while. */
        CUT_OFF,
        /** The way to a server carries everything late for a while. */
        SLOW,
        /** The connections are gone for the server, and its clients learn of it late. */
        HALF_OPEN,
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
     * @param begins after the begin of the round
     * @param lasts for a fault that lasts
     */
    record ScheduledFault(FaultKind kind, SystemPart part, Duration begins, Duration lasts) {

        @Override
        public String toString() {
            return "%s %s at %d ms for %d ms".formatted(part, kind, begins.toMillis(), lasts.toMillis());
        }
    }

    static StormSchedule of(long seed) {
        Random random = new Random(seed);
        List<SystemPart> parts = new ArrayList<>(List.of(SystemPart.values()));
        Collections.shuffle(parts, random);
        List<ScheduledFault> faults = parts.subList(0, random.nextInt(FAULTS_MIN, FAULTS_MAX + 1)).stream()
                .map(part -> fault(part, random))
                .sorted(Comparator.comparing(ScheduledFault::begins))
                .toList();
        return new StormSchedule(seed, faults);
    }

    private static ScheduledFault fault(SystemPart part, Random random) {
        FaultKind kind = switch (part) {
            case FIRST_PROCESS, SECOND_PROCESS -> any(random, FaultKind.KILLED, FaultKind.ENDED, FaultKind.FROZEN);
            case FIRST_WAY_TO_POSTGRES,
                    SECOND_WAY_TO_POSTGRES,
                    FIRST_WAY_TO_REDIS,
                    SECOND_WAY_TO_REDIS,
                    WAYS_TO_KAFKA -> any(random, FaultKind.CUT_OFF, FaultKind.SLOW, FaultKind.HALF_OPEN);
            case POSTGRES -> any(random, FaultKind.CONNECTIONS_ENDED, FaultKind.DATABASE_CRASHED);
            case REDIS -> any(random, FaultKind.REDIS_FLUSHED, FaultKind.REDIS_KILLED);
            case KAFKA -> FaultKind.BROKER_AWAY;
        };
        return new ScheduledFault(
                kind,
                part,
                between(random, Duration.ZERO, SPAN),
                kind == FaultKind.HALF_OPEN ? KEEPALIVE : between(random, LASTS_MIN, LASTS_MAX));
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
