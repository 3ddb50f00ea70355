package lottery.journey.code;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** How many codes are left in the pools that this process has to do with. */
@Component
final class CodeMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(CodeMeters.class);

    /** More pools than these are to be seen by asking for them. */
    private static final int SHOWN_MAX = 100;

    /** All gauges of one look at the metrics share one look at the database, and so do those of many in a row. */
    private static final Duration AGE_MAX = Duration.ofSeconds(15);

    private final CodePools pools;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private final Map<PoolId, Long> free = new LinkedHashMap<>();
    private long lookedAtNanos = System.nanoTime() - AGE_MAX.toNanos();

    CodeMeters(CodePools pools) {
        this.pools = pools;
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        free.keySet().forEach(pool -> gauge(registry, pool));
        try {
            pools.pools(SHOWN_MAX).forEach(this::show);
        } catch (RuntimeException away) {
            LOG.debug("The pools of codes cannot be seen", away);
        }
    }

    /** From now on this pool is seen. */
    synchronized void show(PoolId pool) {
        if (free.size() < SHOWN_MAX && free.putIfAbsent(pool, 0L) == null) {
            lookedAtNanos = System.nanoTime() - AGE_MAX.toNanos();
            registries.forEach(registry -> gauge(registry, pool));
        }
    }

    private void gauge(MeterRegistry registry, PoolId pool) {
        Gauge.builder("lottery.award.codes.free", () -> free(pool))
                .tag("activity", Long.toString(pool.activityId().value()))
                .tag("award", Integer.toString(pool.awardId()))
                .register(registry);
    }

    private synchronized double free(PoolId pool) {
        if (System.nanoTime() - lookedAtNanos >= AGE_MAX.toNanos()) {
            lookedAtNanos = System.nanoTime();
            look();
        }
        Long count = free.get(pool);
        return count == null ? Double.NaN : count;
    }

    private void look() {
        try {
            Map<PoolId, Long> counted = new HashMap<>();
            free.keySet().forEach(pool -> counted.put(pool, pools.free(pool)));
            free.putAll(counted);
        } catch (RuntimeException away) {
            LOG.debug("The free codes cannot be counted", away);
        }
    }
}
