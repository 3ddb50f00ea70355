package lottery.app;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.axonframework.config.EventProcessingConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Publishes metrics of the processors: the length of the log, how many events each processor is behind, and how many it
 * has parked.
 */
final class ProcessorMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessorMeters.class);

    /**
     * How long the result of one query is used, counted from the end of the query. Therefore all gauges share one query
     * when the metrics are read.
     */
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    /**
     * How long this class makes no query after a failed one. Somebody may read all metrics while the database is away.
     * The first gauge of this class then waits for the database. Before the next gauge of this class is read, other
     * meters may wait, too. This time is longer than those waits, so the next gauge does not wait again.
     */
    private static final Duration AWAY = Duration.ofSeconds(8);

    private static final String PROGRESS = """
            SELECT processor,
                   (SELECT position FROM event_head) AS head,
                   max((SELECT position FROM event_head)
                       - CASE jsonb_typeof(token) WHEN 'number' THEN token::bigint ELSE (token ->> 'at')::bigint END) AS lag,
                   (SELECT count(*) FROM parked_event
                    WHERE parked_event.processor = token.processor AND dropped_because IS NULL) AS parked
            FROM token GROUP BY processor""";

    private final JdbcClient database;
    private final EventProcessingConfiguration processing;

    private Map<String, ProcessorStatus> latest = Map.of();
    private long lookedAtNanos = System.nanoTime() - AGE_MAX.toNanos();
    private boolean isAway;

    ProcessorMeters(JdbcClient database, EventProcessingConfiguration processing) {
        this.database = database;
        this.processing = processing;
    }

    private record ProcessorStatus(long head, long lag, long parked) {}

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "lottery.log.events",
                        () -> progress().values().stream()
                                .mapToDouble(ProcessorStatus::head)
                                .max()
                                .orElse(Double.NaN))
                .register(registry);
        for (String processor : processing.eventProcessors().keySet()) {
            gauge(registry, "lottery.projection.lag.events", processor, ProcessorStatus::lag);
            gauge(registry, "lottery.parked.events", processor, ProcessorStatus::parked);
        }
    }

    private void gauge(MeterRegistry registry, String name, String processor, ToLongFunction<ProcessorStatus> number) {
        Gauge.builder(name, () -> {
                    ProcessorStatus progress = progress().get(processor);
                    return progress == null ? Double.NaN : number.applyAsLong(progress);
                })
                .tag("processor", processor)
                .register(registry);
    }

    private synchronized Map<String, ProcessorStatus> progress() {
        Duration ageMax = isAway ? AWAY : AGE_MAX;
        if (System.nanoTime() - lookedAtNanos >= ageMax.toNanos()) {
            latest = look();
            lookedAtNanos = System.nanoTime();
        }
        return latest;
    }

    private Map<String, ProcessorStatus> look() {
        Map<String, ProcessorStatus> progress = new HashMap<>();
        try {
            database.sql(PROGRESS)
                    .query((row, i) -> progress.put(
                            row.getString("processor"),
                            new ProcessorStatus(row.getLong("head"), row.getLong("lag"), row.getLong("parked"))))
                    .list();
            isAway = false;
        } catch (RuntimeException away) {
            isAway = true;
            LOG.debug("The progress of processors could not be read. Its metrics are missing until it succeeds.", away);
        }
        return progress;
    }
}
