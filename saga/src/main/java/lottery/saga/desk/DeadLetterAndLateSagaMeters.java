package lottery.saga.desk;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import lottery.store.log.Logs;
import lottery.store.saga.LateSagaQueries;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Meters how many dead letters and late sagas wait for an operator. */
@Component
final class DeadLetterAndLateSagaMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterAndLateSagaMeters.class);

    /** The largest count. A larger number is not worse, and would take long to count. */
    private static final int COUNTED_MAX = 10_000;

    /**
     * How long a count is used, so that both gauges share it. The time begins at the end of the count. If the database
     * is away, a count takes seconds, and would be too old by then.
     */
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    /**
     * How long this class makes no query after a failed one. Somebody may read all metrics while the database is away.
     * The first gauge of this class then waits for the database. Before the next gauge of this class is read, other
     * meters may wait, too. This time is longer than those waits, so the next gauge does not wait again.
     */
    private static final Duration AWAY = Duration.ofSeconds(8);

    private static final DeskCounts UNCOUNTED = new DeskCounts(Double.NaN, Double.NaN);

    private final DeadLetterTable messages;
    private final LateSagaQueries lateSagas;
    private final Logs logs;
    private final InstantSource clock;

    private DeskCounts latest = UNCOUNTED;
    private long countedAtNanos = System.nanoTime() - AGE_MAX.toNanos();
    private boolean isAway;

    DeadLetterAndLateSagaMeters(DeadLetterTable messages, LateSagaQueries lateSagas, Logs logs, InstantSource clock) {
        this.messages = messages;
        this.lateSagas = lateSagas;
        this.logs = logs;
        this.clock = clock;
    }

    private record DeskCounts(double deadLetters, double lateSagas) {}

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.dead.letters", () -> counted().deadLetters()).register(registry);
        Gauge.builder("lottery.late.sagas", () -> counted().lateSagas()).register(registry);
    }

    private synchronized DeskCounts counted() {
        Duration ageMax = isAway ? AWAY : AGE_MAX;
        if (System.nanoTime() - countedAtNanos >= ageMax.toNanos()) {
            latest = count();
            countedAtNanos = System.nanoTime();
        }
        return latest;
    }

    private long lateSagas() {
        return lateSagas.count(clock.instant(), COUNTED_MAX).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private DeskCounts count() {
        try {
            DeskCounts counts = new DeskCounts(
                    messages.open(COUNTED_MAX),
                    logs.all().stream()
                            .mapToLong(log -> log.call(this::lateSagas))
                            .sum());
            isAway = false;
            return counts;
        } catch (RuntimeException away) {
            isAway = true;
            LOG.debug(
                    "Dead letters and late sagas could not be counted. Their metrics are NaN until it succeeds.", away);
            return UNCOUNTED;
        }
    }
}
