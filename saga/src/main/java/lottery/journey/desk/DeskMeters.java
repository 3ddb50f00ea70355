package lottery.journey.desk;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;
import java.util.function.DoubleSupplier;
import lottery.store.saga.LateSagaQueries;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Meters how many dead letters and late sagas wait for an operator. */
@Component
final class DeskMeters implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(DeskMeters.class);

    /** The largest count: more are as bad, and would take long to count. */
    private static final int COUNTED_MAX = 10_000;

    private final DeadLetterTable messages;
    private final LateSagaQueries journeys;
    private final InstantSource clock;

    DeskMeters(DeadLetterTable messages, LateSagaQueries journeys, InstantSource clock) {
        this.messages = messages;
        this.journeys = journeys;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "lottery.dead.letters", () -> messages.open(COUNTED_MAX));
        gauge(
                registry,
                "lottery.late.journeys",
                () -> journeys.count(clock.instant(), COUNTED_MAX).values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private static void gauge(MeterRegistry registry, String name, DoubleSupplier number) {
        Gauge.builder(name, () -> {
                    try {
                        return number.getAsDouble();
                    } catch (RuntimeException away) {
                        LOG.debug("{} cannot be counted", name, away);
                        return Double.NaN;
                    }
                })
                .register(registry);
    }
}
