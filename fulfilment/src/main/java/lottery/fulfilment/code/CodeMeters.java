package lottery.fulfilment.code;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Meters how many codes are left in the pools that this process has to do with. Who gives codes or uploads them waits
 * for nobody who looks, however long the database takes to count.
 */
@Component
final class CodeMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(CodeMeters.class);

    /** More pools than these are to be seen by asking for them. */
    private static final int SHOWN_MAX = 100;

    /** All gauges of one look at the metrics share one look at the database, and so do those of many in a row. */
    private static final Duration AGE_MAX = Duration.ofSeconds(15);

    /** None is left is an alarm; that nobody has counted is none. */
    private static final Double UNCOUNTED = Double.NaN;

    private final IntFunction<List<CodePoolId>> pools;
    private final ToLongFunction<CodePoolId> count;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<CodePoolId, Double> free = new ConcurrentHashMap<>();
    private final AtomicLong lookedAtNanos = new AtomicLong(longAgo());

    @Autowired
    CodeMeters(CodePoolTable pools) {
        this(pools::pools, pools::free);
    }

    /**
     * @param pools at most so many
     * @param count of what is free
     */
    CodeMeters(IntFunction<List<CodePoolId>> pools, ToLongFunction<CodePoolId> count) {
        this.pools = pools;
        this.count = count;
    }

    private static long longAgo() {
        return System.nanoTime() - AGE_MAX.toNanos();
    }

    /** A pool that comes at this moment is bound here, or there, or twice, which is once. */
    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
        free.keySet().forEach(pool -> gauge(registry, pool));
        try {
            pools.apply(SHOWN_MAX).forEach(this::show);
        } catch (RuntimeException away) {
            LOG.debug("The pools of codes cannot be seen", away);
        }
    }

    /** From now on this pool is seen. */
    void show(CodePoolId pool) {
        if (free.size() < SHOWN_MAX && free.putIfAbsent(pool, UNCOUNTED) == null) {
            registries.forEach(registry -> gauge(registry, pool));
            lookedAtNanos.set(longAgo());
        }
    }

    private void gauge(MeterRegistry registry, CodePoolId pool) {
        Gauge.builder("lottery.award.codes.free", () -> free(pool))
                .tag("activity", Long.toString(pool.activityId().value()))
                .tag("award", Integer.toString(pool.awardId()))
                .register(registry);
    }

    /** The first who finds the last look too old looks anew; whoever comes meanwhile sees what was known before. */
    private double free(CodePoolId pool) {
        long lookedAt = lookedAtNanos.get();
        long now = System.nanoTime();
        if (now - lookedAt >= AGE_MAX.toNanos() && lookedAtNanos.compareAndSet(lookedAt, now)) {
            look();
        }
        return free.getOrDefault(pool, UNCOUNTED);
    }

    private void look() {
        Map<CodePoolId, Double> counted = new HashMap<>();
        try {
            free.keySet().forEach(pool -> counted.put(pool, (double) count.applyAsLong(pool)));
        } catch (RuntimeException away) {
            LOG.debug("The free codes cannot be counted", away);
        }
        free.replaceAll((pool, before) -> counted.getOrDefault(pool, UNCOUNTED));
    }
}
