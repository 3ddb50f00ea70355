package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.pooled.PooledStreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A streaming processor")
@SpringBootTest(classes = TestStore.class)
class ProcessorTest {

    private static final Duration HANDLED_MAX = Duration.ofSeconds(20);

    private final EventStore events;
    private final JdbcClient database;
    private final Arrivals arrivals;
    private final PooledStreamingEventProcessor processor;

    private String parcel = "";

    @Autowired
    ProcessorTest(EventStore events, JdbcClient database, Arrivals arrivals, EventProcessingConfiguration processing) {
        this.events = events;
        this.database = database;
        this.arrivals = arrivals;
        this.processor = processing
                .eventProcessor(Arrivals.PROCESSOR, PooledStreamingEventProcessor.class)
                .orElseThrow();
    }

    @BeforeEach
    void anotherParcel() {
        parcel = "parcel:" + UUID.randomUUID();
        arrivals.failNoMore();
    }

    @Test
    @DisplayName("that has no token begins with the oldest event")
    void oldestFirst() {
        processor.shutDown();
        append(0, new ParcelSent(parcel, "Riga"));
        append(1, new ParcelMoved(parcel, "Oslo"));
        append(2, new ParcelMoved(parcel, "Bergen"));
        database.sql("DELETE FROM token WHERE processor = ?")
                .param(Arrivals.PROCESSOR)
                .update();
        database.sql("DELETE FROM arrival").update();
        processor.start();
        awaitPlaces("Oslo", "Bergen");
        assertThat(count("SELECT count(*) FROM arrival"))
                .as("every event that was ever stored")
                .isEqualTo(count("SELECT count(*) FROM event WHERE type = 'parcel.moved'"));
    }

    @Test
    @DisplayName("goes on where it was when it starts again")
    void goesOn() {
        append(0, new ParcelMoved(parcel, "Oslo"));
        awaitPlaces("Oslo");
        processor.shutDown();
        append(1, new ParcelMoved(parcel, "Bergen"));
        processor.start();
        awaitPlaces("Oslo", "Bergen");
    }

    @Test
    @DisplayName("passes over a stored name that it does not know")
    void passesOver() {
        Strangers.write(database, parcel, "parcel.teleported");
        append(1, new ParcelMoved(parcel, "Oslo"));
        awaitPlaces("Oslo");
        assertThat(processor.processingStatus().get(0))
                .satisfies(status -> assertThat(status.isErrorState()).isFalse());
    }

    @Test
    @DisplayName("moves its token in the transaction in which its handler has written")
    void oneTransaction() {
        append(0, new ParcelMoved(parcel, "Oslo"));
        awaitPlaces("Oslo");
        assertThat(count("""
                        SELECT count(*) FROM arrival JOIN token_move USING (transaction)
                        WHERE parcel = '%s' AND processor = '%s'""".formatted(parcel, Arrivals.PROCESSOR))).isEqualTo(1);
    }

    @Test
    @DisplayName("tries a failed event again, and keeps what its handler has written exactly once")
    void exactlyOnce() {
        arrivals.failFromNowOn();
        append(0, new ParcelMoved(parcel, "Oslo"));
        await().atMost(HANDLED_MAX)
                .untilAsserted(() -> assertThat(arrivals.failures()).isGreaterThanOrEqualTo(2));
        assertThat(token()).as("the token").isLessThan(head());
        assertThat(places()).as("what was written by a handler that failed").isEmpty();
        arrivals.failNoMore();
        awaitPlaces("Oslo");
        assertThat(token()).as("the token").isEqualTo(head());
    }

    private void append(long sequence, Object event) {
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, sequence, event));
    }

    private void awaitPlaces(String... expected) {
        await().atMost(HANDLED_MAX).untilAsserted(() -> assertThat(places()).containsExactly(expected));
    }

    private List<@Nullable String> places() {
        return database.sql("SELECT place FROM arrival WHERE parcel = ? ORDER BY transaction")
                .param(parcel)
                .query(String.class)
                .list();
    }

    private long token() {
        return database.sql("""
                        SELECT token::bigint FROM token WHERE processor = ?""").param(Arrivals.PROCESSOR).query(Long.class).single();
    }

    private long head() {
        return count("SELECT position FROM event_head");
    }

    private long count(String sql) {
        return database.sql(sql).query(Long.class).single();
    }
}
