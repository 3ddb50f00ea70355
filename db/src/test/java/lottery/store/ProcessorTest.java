package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.processing.ParkedEventQueries;
import lottery.store.processing.ParkedEventQueries.ParkedEventFilter;
import lottery.store.processing.ParkedEventView;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A streaming processor")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class ProcessorTest {

    private static final Duration HANDLED_MAX = Duration.ofSeconds(20);

    private final EventStore events;
    private final JdbcClient database;
    private final Arrivals arrivals;
    private final ParkedEventQueries list;
    private final StreamingEventProcessor processor;

    private String parcel = "";

    @Autowired
    ProcessorTest(
            EventStore events,
            JdbcClient database,
            Arrivals arrivals,
            ParkedEventQueries list,
            EventProcessingConfiguration processing) {
        this.events = events;
        this.database = database;
        this.arrivals = arrivals;
        this.list = list;
        this.processor = processing
                .eventProcessor(Arrivals.PROCESSOR, StreamingEventProcessor.class)
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
    @DisplayName("moves its token in the transaction in which its handler has written")
    void oneTransaction() {
        append(0, new ParcelMoved(parcel, "Oslo"));
        awaitPlaces("Oslo");
        assertThat(count("""
                        SELECT count(*) FROM arrival JOIN token_move USING (transaction)
                        WHERE parcel = '%s' AND processor = '%s'""".formatted(parcel, Arrivals.PROCESSOR))).isEqualTo(1);
    }

    @Test
    @DisplayName("waits for the end of an outage, and keeps what its handler has written exactly once")
    void exactlyOnce() {
        arrivals.failFromNowOn(() -> new DataAccessResourceFailureException("something is away"));
        append(0, new ParcelMoved(parcel, "Oslo"));
        await().atMost(HANDLED_MAX)
                .untilAsserted(() -> assertThat(arrivals.failures()).isGreaterThanOrEqualTo(5));
        assertThat(token()).as("the token").isLessThan(head());
        assertThat(places()).as("what was written by a handler that failed").isEmpty();
        assertThat(processor.isError()).isTrue();
        arrivals.failNoMore();
        awaitPlaces("Oslo");
        await().atMost(HANDLED_MAX)
                .untilAsserted(() -> assertThat(processor.isError()).isFalse());
        assertThat(token()).as("the token").isEqualTo(head());
    }

    @Test
    @DisplayName("begins again when it is reset, tells its handlers which events are repeated, and leaves others alone")
    void reset() {
        append(0, new ParcelMoved(parcel, "Oslo"));
        append(1, new ParcelMoved(parcel, "Bergen"));
        awaitPlaces("Oslo", "Bergen");
        processor.shutDown();
        processor.resetTokens("a reason");
        assertThat(places()).isEmpty();
        assertThat(database.sql("SELECT token FROM token WHERE processor = ?")
                        .param(Arrivals.PROCESSOR)
                        .query(String.class)
                        .single())
                .isEqualTo("{\"at\": 0, \"context\": \"a reason\", \"replayUntil\": %d}".formatted(head()));
        processor.start();
        awaitPlaces("Oslo", "Bergen");
        append(2, new ParcelMoved(parcel, "Riga"));
        awaitPlaces("Oslo", "Bergen", "Riga");
        assertThat(token()).as("a plain number again").isEqualTo(head());
    }

    @Nested
    @DisplayName("that meets an event which its handler cannot handle")
    class Parking {

        private final String other = "parcel:" + UUID.randomUUID();

        @BeforeEach
        void meetIt() {
            arrivals.cannotBear("Atlantis");
            append(0, new ParcelMoved(parcel, "Oslo"));
            append(1, new ParcelMoved(parcel, "Atlantis"));
            append(2, new ParcelMoved(parcel, "Bergen"));
            events.publish(new GenericDomainEventMessage<>("parcel", other, 0, new ParcelMoved(other, "Riga")));
        }

        @AfterEach
        void leaveNothing() {
            arrivals.failNoMore();
            database.sql("UPDATE parked_event SET retry_at = now()").update();
            await().atMost(HANDLED_MAX).until(() -> parked().isEmpty());
        }

        @Test
        @DisplayName("parks it with all later events of the same parcel, and goes on with the others")
        void parks() {
            awaitParked("Atlantis", "Bergen");
            assertThat(places()).containsExactly("Oslo");
            await().atMost(HANDLED_MAX)
                    .untilAsserted(() -> assertThat(placesOf(other)).containsExactly("Riga"));
            assertThat(arrivals.failures()).as("attempts").isGreaterThan(2);
            assertThat(database.sql("SELECT cause FROM parked_event WHERE sequence_id = ? ORDER BY position LIMIT 1")
                            .param(parcel)
                            .query(String.class)
                            .single())
                    .contains("IllegalStateException: the read model has written and cannot bear Atlantis");
            assertThat(processor.isError())
                    .as("who relies on it knows that something is missing")
                    .isTrue();
        }

        @Test
        @DisplayName("still parks later events of that parcel after a restart")
        void remembers() {
            awaitParked("Atlantis", "Bergen");
            processor.shutDown();
            processor.start();
            append(3, new ParcelMoved(parcel, "Narvik"));
            awaitParked("Atlantis", "Bergen", "Narvik");
            assertThat(places()).containsExactly("Oslo");
        }

        @Test
        @DisplayName("handles them in their order as soon as it can")
        void retries() {
            awaitParked("Atlantis", "Bergen");
            arrivals.failNoMore();
            database.sql("UPDATE parked_event SET retry_at = now() + interval '1 hour'")
                    .update();
            List<ParkedEventView> all = list.find(new ParkedEventFilter(Arrivals.PROCESSOR, false, parcel), "", 0, 10);
            assertThat(list.retry(Arrivals.PROCESSOR, all.getLast().position()))
                    .as("one that waits behind another has that one tried first")
                    .isTrue();
            awaitPlaces("Oslo", "Atlantis", "Bergen");
            await().atMost(HANDLED_MAX)
                    .untilAsserted(() -> assertThat(processor.isError()).isFalse());
            append(3, new ParcelMoved(parcel, "Narvik"));
            awaitPlaces("Oslo", "Atlantis", "Bergen", "Narvik");
        }

        @Test
        @DisplayName("keeps an event that fails again, and the events that wait behind it")
        void failsAgain() {
            awaitParked("Atlantis", "Bergen");
            database.sql("UPDATE parked_event SET retry_at = now()").update();
            await().atMost(HANDLED_MAX)
                    .untilAsserted(() -> assertThat(database.sql(
                                            "SELECT attempts FROM parked_event WHERE sequence_id = ? ORDER BY position LIMIT 1")
                                    .param(parcel)
                                    .query(Integer.class)
                                    .single())
                            .isEqualTo(2));
            assertThat(places()).containsExactly("Oslo");
            awaitParked("Atlantis", "Bergen");
        }

        @Test
        @DisplayName("goes on behind an event that a person has dropped")
        void dropped() {
            awaitParked("Atlantis", "Bergen");
            database.sql("UPDATE parked_event SET retry_at = now() + interval '1 hour'")
                    .update();
            ParkedEventView first = list.find(new ParkedEventFilter(Arrivals.PROCESSOR, false, parcel), "", 0, 1)
                    .getFirst();
            assertThat(first.behind()).isEqualTo(1);
            assertThat(list.drop(Arrivals.PROCESSOR, first.position(), "there is no such place"))
                    .isTrue();
            assertThat(list.drop(Arrivals.PROCESSOR, first.position(), "another reason"))
                    .isFalse();
            awaitPlaces("Oslo", "Bergen");
            assertThat(list.find(new ParkedEventFilter(Arrivals.PROCESSOR, true, null), "", 0, 10))
                    .extracting(ParkedEventView::droppedBecause)
                    .containsExactly("there is no such place");
            append(3, new ParcelMoved(parcel, "Narvik"));
            awaitPlaces("Oslo", "Bergen", "Narvik");
            database.sql("DELETE FROM parked_event").update();
        }

        private void awaitParked(String... expected) {
            await().atMost(HANDLED_MAX).untilAsserted(() -> assertThat(parked()).containsExactly(expected));
        }

        private List<@Nullable String> parked() {
            return database.sql("""
                            SELECT payload ->> 'to' FROM parked_event JOIN event_readable USING (position)
                            WHERE sequence_id = ? ORDER BY position""").param(parcel).query(String.class).list();
        }
    }

    private void append(long sequence, Object event) {
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, sequence, event));
    }

    private void awaitPlaces(String... expected) {
        await().atMost(HANDLED_MAX).untilAsserted(() -> assertThat(places()).containsExactly(expected));
    }

    private List<@Nullable String> places() {
        return placesOf(parcel);
    }

    private List<@Nullable String> placesOf(String one) {
        return database.sql("SELECT place FROM arrival WHERE parcel = ? ORDER BY transaction")
                .param(one)
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
