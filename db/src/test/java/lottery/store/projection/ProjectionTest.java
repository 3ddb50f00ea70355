package lottery.store.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.RecordedStatements;
import lottery.store.TestStore;
import lottery.store.projection.ParcelPlaces.ParcelCourse;
import lottery.store.projection.ParcelPlaces.ParcelKey;
import lottery.store.projection.ParcelPlaces.ParcelKind;
import lottery.store.projection.ParcelPlaces.Whereabouts;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A projection")
@SpringBootTest(classes = TestStore.class, properties = "lottery.data=${lottery.servers:target/servers}-of-crashes")
@Import({ParcelPlaces.class, RecordedStatements.class})
class ProjectionTest {

    private static final Duration FOLLOWED_MAX = Duration.ofSeconds(30);

    /** How many crashes are tried: not each of them comes before the disk has the latest writes. */
    private static final int CRASHES_MAX = 20;

    /** Returns the state of each parcel by the events alone, computed in SQL. */
    private static final String FOLD = """
            SELECT aggregate_id AS parcel,
                   (array_agg(payload ->> 'to' ORDER BY sequence DESC) FILTER (WHERE type = 'parcel.moved'))[1] AS place,
                   count(*) FILTER (WHERE type = 'parcel.moved') AS moves,
                   max(position) AS position
            FROM event_readable
            WHERE aggregate_id LIKE ? GROUP BY aggregate_id""";

    private final EventStore events;
    private final JdbcClient database;
    private final JdbcOperations statements;
    private final RecordedStatements watched;
    private final StreamingEventProcessor processor;
    private final String parcel = "parcel:" + UUID.randomUUID();

    @Autowired
    ProjectionTest(
            EventStore events,
            JdbcClient database,
            JdbcOperations statements,
            RecordedStatements watched,
            EventProcessingConfiguration processing) {
        this.events = events;
        this.database = database;
        this.statements = statements;
        this.watched = watched;
        this.processor = processing
                .eventProcessor(ParcelPlaces.PROCESSOR, StreamingEventProcessor.class)
                .orElseThrow();
    }

    @BeforeEach
    void start() {
        processor.start();
    }

    @Test
    @DisplayName("has the rows that its events make, with every kind of column")
    void rows() {
        send(parcel, 0, new ParcelMoved(parcel, "Oslo"), new ParcelMoved(parcel, "Zürich \"香港\", {x}"));
        awaitRows(parcel);
        assertThat(database.sql("SELECT place, moves, kind, fragile FROM parcel_place WHERE parcel = ?")
                        .param(parcel)
                        .query()
                        .singleRow())
                .isEqualTo(Map.of("place", "Zürich \"香港\", {x}", "moves", 2, "kind", "ROUND", "fragile", true));
        send(parcel, 2, new ParcelMoved(parcel, "Riga"));
        awaitRows(parcel);
    }

    @Test
    @DisplayName("is read into the records that it was written from")
    void readAgain() {
        send(parcel, 0, new ParcelSent(parcel, "Bergen"));
        awaitHandled();
        RowReader<ParcelKey, Whereabouts> rows =
                new RowReader<>(statements, "parcel_place", ParcelKey.class, Whereabouts.class);
        assertThat(rows.find(Map::entry, "parcel = ? AND moves < ?", parcel, 1))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.getKey()).isEqualTo(new ParcelKey(parcel));
                    assertThat(row.getValue().course()).isEqualTo(new ParcelCourse("Bergen", 0));
                    assertThat(row.getValue().kind()).isEqualTo(ParcelKind.SQUARE);
                    assertThat(row.getValue().fragile()).isNull();
                    assertThat(row.getValue().firstSeen()).isBeforeOrEqualTo(Instant.now());
                });
        assertThat(rows.find(Map::entry, "parcel = ? AND moves > ?", parcel, 0)).isEmpty();
        assertThatThrownBy(() -> new RowReader<>(statements, "parcel_place", ParcelKey.class, MissingColumn.class))
                .hasStackTraceContaining("column \"colour\" does not exist");
    }

    private record MissingColumn(String colour) {}

    @Test
    @DisplayName("forgets a row when an event leaves nothing of it")
    void forgets() {
        send(parcel, 0, new ParcelMoved(parcel, "Oslo"));
        awaitRows(parcel);
        send(parcel, 1, new ParcelSent(parcel, null));
        awaitHandled();
        assertThat(count("SELECT count(*) FROM parcel_place WHERE parcel = '" + parcel + "'"))
                .isZero();
    }

    @Test
    @DisplayName("equals the fold of the events, whether its transactions are killed after the rows or after the token")
    void killed() {
        String flock = "parcel:" + UUID.randomUUID();
        Map<String, Long> sequences = new HashMap<>();
        for (int round = 0; round < 6; round++) {
            // The order is rows, token, kill, rows, token, kill; in the next round rows, kill, rows, token, kill.
            statements.execute("SELECT setval('kills', " + (1 + round % 2) + ", false)");
            for (int i = 0; i < 50; i++) {
                String one = flock + "/" + i % 20;
                send(
                        one,
                        sequences.merge(one, 0L, (last, _) -> last + 1),
                        new ParcelMoved(one, "round " + round + ", place " + i));
            }
            awaitHandled();
        }
        assertThat(count("SELECT last_value FROM kills"))
                .as("transactions were killed")
                .isGreaterThan(4);
        assertThat(rowsOf(flock + "/%")).isEqualTo(foldOf(flock + "/%"));
    }

    @Test
    @DisplayName("equals the fold of the events, also if PostgreSQL crashes and loses what it had reported as done")
    void crashed() {
        String flock = "parcel:" + UUID.randomUUID();
        Map<String, Long> sequences = new HashMap<>();
        int forgotten = 0;
        for (int round = 0; round < CRASHES_MAX && forgotten < 2; round++) {
            for (int i = 0; i < 50; i++) {
                String one = flock + "/" + i % 20;
                send(
                        one,
                        sequences.merge(one, 0L, (last, _) -> last + 1),
                        new ParcelMoved(one, "round " + round + ", place " + i));
            }
            awaitHandled();
            long before = token();
            crashPostgres();
            if (tokenNow() < before) {
                forgotten++;
            }
            // No new event is published: the loss has to be noticed without one.
            awaitRows(flock + "/%");
        }
        assertThat(forgotten).as("crashes that were felt").isEqualTo(2);
    }

    @Test
    @DisplayName("is the same after it was rebuilt")
    void replayed() {
        send(parcel, 0, new ParcelMoved(parcel, "Oslo"), new ParcelMoved(parcel, "Riga"));
        awaitRows(parcel);
        processor.shutDown();
        processor.resetTokens();
        assertThat(count("SELECT count(*) FROM parcel_place")).isZero();
        processor.start();
        awaitRows(parcel);
    }

    @Test
    @DisplayName("does not change when events come again")
    void again() {
        send(parcel, 0, new ParcelMoved(parcel, "Oslo"), new ParcelMoved(parcel, "Riga"));
        awaitRows(parcel);
        processor.shutDown();
        setBack();
        processor.start();
        send(parcel, 2, new ParcelMoved(parcel, "Bergen"));
        awaitRows(parcel);
    }

    /** Makes all events come again. */
    private void setBack() {
        database.sql("UPDATE token SET token = '0' WHERE processor = ?")
                .param(ParcelPlaces.PROCESSOR)
                .update();
    }

    @Test
    @DisplayName("does not read a row that cannot exist yet, and loses nothing if its first event comes again")
    void first() {
        awaitHandled();
        List<String> reads = watched.ofAllDuring("parcel_place JOIN", () -> {
            send(parcel, 0, new ParcelSent(parcel, "Oslo"));
            awaitHandled();
        });
        assertThat(reads).isEmpty();
        assertThat(place()).isEqualTo(Map.of("place", "Oslo", "moves", 0));

        send(parcel, 1, new ParcelMoved(parcel, "Riga"));
        awaitHandled();
        processor.shutDown();
        setBack();
        processor.start();
        awaitHandled();
        assertThat(place()).isEqualTo(Map.of("place", "Riga", "moves", 1));

        processor.shutDown();
        setBack();
        send(parcel, 2, new ParcelMoved(parcel, "Bergen"), new ParcelSent(parcel, "Lima"));
        send(parcel, 4, new ParcelMoved(parcel, "Quito"));
        processor.start();
        awaitHandled();
        assertThat(place()).isEqualTo(Map.of("place", "Quito", "moves", 1));
    }

    @Test
    @DisplayName("keeps a row that knows more than the event that would begin it, and not one that knows less")
    void firstAgain() {
        RowTable<ParcelPlaces.ParcelKey, Whereabouts> table =
                new RowTable<>(statements, "parcel_place", ParcelPlaces.ParcelKey.class, Whereabouts.class);
        ParcelPlaces.ParcelKey key = new ParcelPlaces.ParcelKey(parcel);
        begin(table, key, 7, "Riga");
        begin(table, key, 5, "Oslo");
        assertThat(place()).isEqualTo(Map.of("place", "Riga", "moves", 0));
        begin(table, key, 9, "Lima");
        assertThat(place()).isEqualTo(Map.of("place", "Lima", "moves", 0));
    }

    private static void begin(
            RowTable<ParcelPlaces.ParcelKey, Whereabouts> table,
            ParcelPlaces.ParcelKey key,
            long position,
            String place) {
        RowChanges<ParcelPlaces.ParcelKey, Whereabouts> changes = new RowChanges<>();
        Whereabouts row = new Whereabouts(new ParcelCourse(place, 0), null, null, Instant.EPOCH);
        changes.add(key, position, ignored -> row, true);
        changes.writeTo(table);
    }

    private Map<String, @Nullable Object> place() {
        return database.sql("SELECT place, moves FROM parcel_place WHERE parcel = ?")
                .param(parcel)
                .query()
                .singleRow();
    }

    @Test
    @DisplayName("refuses columns of types that it does not know")
    void unknownColumns() {
        record Odd(Thread thread) {}
        assertThatThrownBy(() -> new RowTable<>(statements, "parcel_place", ParcelPlaces.ParcelKey.class, Odd.class))
                .hasMessageContaining("no columns of class java.lang.Thread");
        assertThat(new RowTable<>(
                                statements,
                                "parcel_place",
                                ParcelPlaces.ParcelKey.class,
                                ParcelPlaces.Whereabouts.class)
                        .read(List.of()))
                .isEmpty();
    }

    private void send(String one, long first, Object... moves) {
        List<EventMessage<?>> messages = new ArrayList<>();
        for (int i = 0; i < moves.length; i++) {
            messages.add(new GenericDomainEventMessage<>("parcel", one, first + i, moves[i]));
        }
        events.publish(messages);
    }

    private long token() {
        return count("SELECT token::bigint FROM token WHERE processor = '" + ParcelPlaces.PROCESSOR + "'");
    }

    /**
     * Ends one of PostgreSQL's processes. PostgreSQL then ends all others, too, and begins again with what the disk
     * has.
     */
    private void crashPostgres() {
        List<ProcessHandle> all = database
                .sql("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
                .query((row, i) -> ProcessHandle.of(row.getLong(1)))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
        assertThat(all).hasSizeGreaterThan(1);
        all.getFirst().destroyForcibly();
        await().atMost(FOLLOWED_MAX)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    private long tokenNow() {
        return await().atMost(FOLLOWED_MAX)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(this::token, position -> position >= 0);
    }

    private void awaitRows(String one) {
        await().atMost(FOLLOWED_MAX)
                .untilAsserted(
                        () -> assertThat(rowsOf(one)).isEqualTo(foldOf(one)).isNotEmpty());
    }

    private void awaitHandled() {
        long head = count("SELECT position FROM event_head");
        await().atMost(FOLLOWED_MAX)
                .until(() -> processor.processingStatus().values().stream()
                        .anyMatch(status -> status.getCurrentPosition().orElse(0) >= head));
    }

    private List<Map<String, @Nullable Object>> rowsOf(String pattern) {
        return database.sql(
                        "SELECT parcel, place, moves::bigint, position FROM parcel_place WHERE parcel LIKE ? ORDER BY parcel")
                .param(pattern)
                .query()
                .listOfRows();
    }

    private List<Map<String, @Nullable Object>> foldOf(String pattern) {
        return database.sql(FOLD + " ORDER BY aggregate_id")
                .param(pattern)
                .query()
                .listOfRows();
    }

    private long count(String sql) {
        return database.sql(sql).query(Long.class).single();
    }
}
