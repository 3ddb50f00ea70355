package lottery.fulfilment.code;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import lottery.api.award.CodePoolId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Meters the free codes of the pools of the newest activities. An upload never waits for a count, however slow the
 * database is.
 */
@Component
final class CodeMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(CodeMeters.class);

    private static final String NAME = "lottery.award.codes.free";

    /** The most pools with a gauge: those of the newest activities. Operators can look up the other pools. */
    private static final int SHOWN_MAX = 100;

    /** How old a count may be. Up to this age, all gauges of one scrape, and of the next scrapes, share one count. */
    private static final Duration AGE_MAX = Duration.ofSeconds(15);

    /** The value before the first count. Zero would cause an alarm, but an unknown number does not. */
    private static final Double UNCOUNTED = Double.NaN;

    private final IntFunction<Map<CodePoolId, Long>> count;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<CodePoolId, Double> free = new ConcurrentHashMap<>();
    private final AtomicLong lookedAtNanos = new AtomicLong(longAgo());

    @Autowired
    CodeMeters(CodePoolTable pools) {
        this(pools::free);
    }

    /** @param count returns the numbers of free codes of the newest pools, at most the given number of them */
    CodeMeters(IntFunction<Map<CodePoolId, Long>> count) {
        this.count = count;
    }

    private static long longAgo() {
        return System.nanoTime() - AGE_MAX.toNanos();
    }

    /** Registers the gauges. A pool that is added at the same time may be registered twice, which has no effect. */
    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
        free.keySet().forEach(pool -> gauge(registry, pool));
        try {
            count.apply(SHOWN_MAX).keySet().forEach(this::show);
        } catch (RuntimeException away) {
            LOG.debug("The pools of codes could not be read. Their metrics are missing for now.", away);
        }
    }

    /** Adds a gauge for this pool. If there are too many, it takes the place of the gauge of an older activity. */
    synchronized void show(CodePoolId pool) {
        if (free.containsKey(pool) || !isRoomFor(pool)) {
            return;
        }
        if (free.putIfAbsent(pool, UNCOUNTED) == null) {
            registries.forEach(registry -> gauge(registry, pool));
            lookedAtNanos.set(longAgo());
        }
    }

    private boolean isRoomFor(CodePoolId pool) {
        if (free.size() < SHOWN_MAX) {
            return true;
        }
        Optional<CodePoolId> oldest = free.keySet().stream()
                .min(Comparator.comparingLong(CodeMeters::activity))
                .filter(each -> activity(each) < activity(pool));
        oldest.ifPresent(this::hide);
        return oldest.isPresent();
    }

    private static long activity(CodePoolId pool) {
        return pool.activityId().value();
    }

    private void hide(CodePoolId pool) {
        free.remove(pool);
        registries.forEach(
                registry -> registry.find(NAME).tags(tags(pool)).meters().forEach(registry::remove));
    }

    private void gauge(MeterRegistry registry, CodePoolId pool) {
        Gauge.builder(NAME, () -> free(pool)).tags(tags(pool)).register(registry);
    }

    private static Tags tags(CodePoolId pool) {
        return Tags.of("activity", Long.toString(activity(pool)), "award", Integer.toString(pool.awardId()));
    }

    /** Returns the last count. If it is too old, one caller counts again, while the others still get the old count. */
    private double free(CodePoolId pool) {
        long lookedAt = lookedAtNanos.get();
        long now = System.nanoTime();
        if (now - lookedAt >= AGE_MAX.toNanos() && lookedAtNanos.compareAndSet(lookedAt, now)) {
            look();
        }
        return free.getOrDefault(pool, UNCOUNTED);
    }

    private void look() {
        Map<CodePoolId, Long> counted = Map.of();
        try {
            counted = count.apply(SHOWN_MAX);
            // Pools that other processes have filled are shown from the next look on.
            counted.keySet().forEach(this::show);
        } catch (RuntimeException away) {
            LOG.debug("Free codes could not be counted. Their metrics are NaN until it succeeds.", away);
        }
        for (CodePoolId pool : free.keySet()) {
            Long left = counted.get(pool);
            free.replace(pool, left == null ? UNCOUNTED : Double.valueOf(left));
        }
    }
}
