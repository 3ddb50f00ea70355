package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelPainted;
import lottery.store.Parcel.ParcelSent;
import lottery.store.axon.UnknownEventException;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.serialization.SerializationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("The event store")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class EventStoreTest {

    private final EventStore events;
    private final JdbcClient database;
    private final TransactionTemplate transactions;

    private String parcel = "";

    @Autowired
    EventStoreTest(EventStore events, JdbcClient database, PlatformTransactionManager transactions) {
        this.events = events;
        this.database = database;
        this.transactions = new TransactionTemplate(transactions);
    }

    @BeforeEach
    void anotherParcel() {
        parcel = "parcel:" + UUID.randomUUID();
    }

    @Nested
    @DisplayName("keeps an event")
    class Keeping {

        @Test
        @DisplayName("under its stable name and revision, not under its class")
        void names() {
            append(0, new ParcelSent(parcel, "Riga"));
            append(1, new ParcelMoved(parcel, "Oslo"));
            assertThat(database.sql("""
                            SELECT type || ' ' || revision FROM event
                            WHERE aggregate_id = ? ORDER BY sequence""").param(parcel).query(String.class).list())
                    .containsExactly("parcel.sent 1", "parcel.moved 2");
        }

        @Test
        @DisplayName("and returns it as it was, with its metadata")
        void roundTrip() {
            append(0, new ParcelSent(parcel, null));
            events.publish(message(1, new ParcelMoved(parcel, "Zürich 香港")).withMetaData(Map.of("origin", "scale 7")));
            assertThat(payloads()).containsExactly(new ParcelSent(parcel, null), new ParcelMoved(parcel, "Zürich 香港"));
            assertThat(stored().getLast().getMetaData()).containsEntry("origin", "scale 7");
        }

        @Test
        @DisplayName("only if it has a name")
        void nameless() {
            assertThatThrownBy(() -> append(0, new ParcelPainted(parcel)))
                    .isInstanceOf(SerializationException.class)
                    .hasMessageContaining("ParcelPainted has no stable name");
            assertThat(stored()).isEmpty();
        }

        @Test
        @DisplayName("and shows it to people as a document that can be queried")
        void readable() {
            events.publish(message(0, new ParcelSent(parcel, "Riga")).withMetaData(Map.of("origin", "scale 7")));
            assertThat(database.sql("SELECT pg_typeof(payload)::text FROM event_readable WHERE aggregate_id = ?")
                            .param(parcel)
                            .query(String.class)
                            .single())
                    .isEqualTo("jsonb");
            assertThat(database.sql("""
                            SELECT type, sequence, payload ->> 'from' AS departure, metadata ->> 'origin' AS origin
                            FROM event_readable
                            WHERE aggregate_id = ? AND payload ->> 'parcel' = aggregate_id
                              AND at BETWEEN now() - interval '1 minute' AND now() + interval '1 minute'""").param(parcel).query().singleRow())
                    .isEqualTo(Map.of("type", "parcel.sent", "sequence", 0, "departure", "Riga", "origin", "scale 7"));
        }

        @Test
        @DisplayName("without a field for null")
        void leavesOut() {
            append(0, new ParcelSent(parcel, null));
            assertThat(payload()).isEqualTo("{\"parcel\":\"" + parcel + "\"}");
        }
    }

    @Nested
    @DisplayName("reads a stored name that it does not know")
    class Unknown {

        @Test
        @DisplayName("as an unknown type")
        void unknown() {
            assertUnknown("parcel.teleported", 1);
        }

        @Test
        @DisplayName("and a newer revision of a name that it knows")
        void newerRevision() {
            assertUnknown("parcel.sent", 99);
        }

        @Test
        @DisplayName("even if it is the name of a class, so that a row never decides what is loaded")
        void classNames() {
            assertUnknown(ParcelSent.class.getName(), 1);
        }

        private List<?> read() {
            return stored();
        }

        /** Nothing is committed, because processors would wait for another version to handle the event. */
        private void assertUnknown(String name, int revision) {
            transactions.executeWithoutResult(transaction -> {
                database.sql("""
                                WITH head AS (UPDATE event_head SET position = position + 1 RETURNING position)
                                INSERT INTO event (position, event_id, at, sequence, aggregate_id, aggregate_type, type,
                                                   revision, payload, metadata)
                                SELECT position, gen_random_uuid(), now(), 0, ?, 'parcel', ?, ?, '{}', '{}'
                                FROM head""").params(parcel, name, String.valueOf(revision)).update();
                assertThatThrownBy(this::read)
                        .isInstanceOf(UnknownEventException.class)
                        .hasMessageContaining("event 0 of " + parcel + " has the type " + name);
                transaction.setRollbackOnly();
            });
        }
    }

    @Nested
    @DisplayName("refuses a second event with the same sequence number")
    class Duplicates {

        @Test
        @DisplayName("as an aggregate that exists already, when it is the first number")
        void first() {
            append(0, new ParcelSent(parcel, "Riga"));
            assertThatThrownBy(() -> append(0, new ParcelSent(parcel, "Oslo")))
                    .isInstanceOf(AggregateStreamCreationException.class);
            assertThat(payloads()).containsExactly(new ParcelSent(parcel, "Riga"));
        }

        @Test
        @DisplayName("as a change by somebody else, when it is a later one")
        void later() {
            append(0, new ParcelSent(parcel, "Riga"));
            append(1, new ParcelMoved(parcel, "Oslo"));
            assertThatThrownBy(() -> append(1, new ParcelMoved(parcel, "Bergen")))
                    .isInstanceOf(ConcurrencyException.class)
                    .isNotInstanceOf(AggregateStreamCreationException.class);
            assertThat(stored()).hasSize(2);
        }
    }

    private void append(long sequence, Object event) {
        events.publish(message(sequence, event));
    }

    private GenericDomainEventMessage<Object> message(long sequence, Object event) {
        return new GenericDomainEventMessage<>("parcel", parcel, sequence, event);
    }

    private List<? extends DomainEventMessage<?>> stored() {
        return events.readEvents(parcel).asStream().toList();
    }

    private List<Object> payloads() {
        return stored().stream().<Object>map(DomainEventMessage::getPayload).toList();
    }

    private String payload() {
        return database.sql("SELECT convert_from(payload, 'UTF8') FROM event WHERE aggregate_id = ?")
                .param(parcel)
                .query(String.class)
                .single();
    }
}
