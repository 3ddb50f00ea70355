package lottery.store.saga;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import lottery.store.EventTypes;
import lottery.store.RecordedStatements;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The store with a saga in it. The clock of its own poller stands still, long before anything is due. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Trip.class, Batches.class, Search.class})
class TestSagas {

    static final Instant MORNING = Instant.parse("2026-11-21T08:00:00Z");

    @Bean
    static RecordedStatements statements() {
        return new RecordedStatements();
    }

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(Map.of("trip.posted", Trip.Posted.class), type -> 1);
    }

    @Bean
    SagaNames sagaTypes() {
        return SagaNames.of(Map.of("trip", Trip.class));
    }

    @Bean
    AtomicReference<Instant> time() {
        return new AtomicReference<>(MORNING);
    }

    @Bean
    InstantSource clock(AtomicReference<Instant> time) {
        return time::get;
    }
}
