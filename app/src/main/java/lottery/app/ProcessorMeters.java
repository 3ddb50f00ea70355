package lottery.app;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.axonframework.config.EventProcessingConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Publishes metrics of the processors: the length of the log, how many events each group of handlers is behind, and how
 * many it has parked. Groups that share a processor are behind by the same events. A read model that a replay builds
 * before it follows its processor is as far as that replay.
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
            SELECT member, head.position AS head, head.position - max(reached) AS lag,
                   (SELECT count(*) FROM parked_event WHERE processor = member AND dropped_because IS NULL) AS parked
            FROM event_head AS head CROSS JOIN (
                SELECT member,
                       CASE jsonb_typeof(token) WHEN 'number' THEN token::bigint ELSE (token ->> 'at')::bigint END AS reached
                FROM token CROSS JOIN unnest(members) AS member
                UNION ALL
                SELECT newcomer, coalesce(replay.position, 0)
                FROM token CROSS JOIN unnest(newcomers) AS newcomer LEFT JOIN replay ON replay.processor = newcomer) AS each
            GROUP BY member, head.position""";

    private final Logs logs;
    private final EventProcessingConfiguration processing;
    private final ProcessorPositionAwaiter positionAwaiter;

    private Map<String, ProcessorStatus> latest = Map.of();
    private long lookedAtNanos = System.nanoTime() - AGE_MAX.toNanos();
    private boolean isAway;

    ProcessorMeters(Logs logs, EventProcessingConfiguration processing, ProcessorPositionAwaiter positionAwaiter) {
        this.logs = logs;
        this.processing = processing;
        this.positionAwaiter = positionAwaiter;
    }

    private record ProcessorStatus(long head, long lag, long parked) {

        /** Returns the status over several logs. The log that is the furthest behind is the one to look at. */
        ProcessorStatus plus(ProcessorStatus other) {
            return new ProcessorStatus(head + other.head, Math.max(lag, other.lag), parked + other.parked);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "lottery.log.events",
                        () -> progress().values().stream()
                                .mapToDouble(ProcessorStatus::head)
                                .max()
                                .orElse(Double.NaN))
                .register(registry);
        // Axon makes the processors when they are asked for, and only then their groups are known.
        var _ = processing.eventProcessors();
        for (String group : positionAwaiter.groups()) {
            gauge(registry, "lottery.projection.lag.events", group, ProcessorStatus::lag);
            gauge(registry, "lottery.parked.events", group, ProcessorStatus::parked);
        }
    }

    private void gauge(MeterRegistry registry, String name, String group, ToLongFunction<ProcessorStatus> number) {
        Gauge.builder(name, () -> {
                    ProcessorStatus progress = progress().get(group);
                    return progress == null ? Double.NaN : number.applyAsLong(progress);
                })
                .tag("processor", group)
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
            for (Log log : logs.all()) {
                RowCallbackHandler add = row -> progress.merge(
                        row.getString("member"),
                        new ProcessorStatus(row.getLong("head"), row.getLong("lag"), row.getLong("parked")),
                        ProcessorStatus::plus);
                log.sql().sql(PROGRESS).query(add);
            }
            isAway = false;
        } catch (RuntimeException away) {
            progress.clear();
            isAway = true;
            LOG.debug("The progress of processors could not be read. Its metrics are missing until it succeeds.", away);
        }
        return progress;
    }
}
