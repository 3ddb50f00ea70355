package lottery.store.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.TestStore;
import lottery.store.axon.HistoryReader;
import lottery.store.log.Logs;
import lottery.store.loop.BackgroundLoop;
import lottery.store.projection.ReadModelReplay.ReplayableReadModel;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.AnnotationEventHandlerAdapter;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("A read model that is rebuilt")
@SpringBootTest(classes = TestStore.class, properties = "lottery.data=${lottery.servers:target/servers}-of-replays")
@Import({ParcelPlaces.class, ParcelTowns.class})
class ReplayWorkerTest {

    private static final Duration BUILT_MAX = Duration.ofSeconds(60);

    /** Enough events for several ranges of a replay. */
    private static final int MANY = 45_000;

    private static final int PARCELS = 500;
    private static final int PER_COMMIT = 900;

    /** Returns the state of each parcel by the events alone, computed in SQL. */
    private static final String FOLD = """
            SELECT aggregate_id AS parcel,
                   (array_agg(payload ->> 'to' ORDER BY sequence DESC))[1] AS place,
                   count(*) AS moves, max(position) AS position
            FROM event_readable WHERE type = 'parcel.moved' AND aggregate_id LIKE ? GROUP BY aggregate_id ORDER BY aggregate_id""";

    private static final String ROWS =
            "SELECT parcel, place, moves::bigint, position FROM parcel_place WHERE parcel LIKE ? ORDER BY parcel";

    /** Counts the moves to each place, by the events alone. */
    private static final String FOLD_OF_TOWNS = """
            SELECT payload ->> 'to' AS place, count(*)::integer AS moves FROM event_readable
            WHERE type = 'parcel.moved' GROUP BY 1 ORDER BY 1""";

    private final EventStore events;
    private final JdbcClient database;
    private final Logs logs;
    private final DataSource dataSource;
    private final JdbcClient owner;
    private final ParcelPlaces places;
    private final ParcelTowns towns;
    private final ReplayWorker replays;
    private final HistoryReader history;
    private final TransactionTemplate transactions;
    private final StreamingEventProcessor processor;
    private final String flock = "parcel:" + UUID.randomUUID();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BackgroundLoop unstopped = new BackgroundLoop("replays", Duration.ZERO, () -> {}, "{}");
    private final String atlantis = "Atlantis of " + flock;
    private int sent;

    @Autowired
    ReplayWorkerTest(
            EventStore events,
            JdbcClient database,
            Logs logs,
            DataSource dataSource,
            Environment environment,
            ParcelPlaces places,
            ParcelTowns towns,
            ReplayWorker replays,
            HistoryReader history,
            PlatformTransactionManager transactions,
            EventProcessingConfiguration processing) {
        this.events = events;
        this.database = database;
        this.logs = logs;
        this.dataSource = dataSource;
        this.owner = JdbcClient.create(new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password")));
        this.places = places;
        this.towns = towns;
        this.replays = replays;
        this.history = history;
        this.transactions = new TransactionTemplate(transactions);
        this.processor = processing
                .eventProcessor(ParcelPlaces.PROCESSOR, StreamingEventProcessor.class)
                .orElseThrow();
    }

    @BeforeEach
    void start() {
        processor.start();
    }

    @AfterEach
    void leaveNothing() {
        places.cannotBear(null);
        processor.start();
        threads.shutdownNow();
        database.sql("DELETE FROM replay").update();
    }

    @Test
    @DisplayName("is the same afterwards, though it is written all the time, and every query is answered")
    void whileItIsUsed() throws Exception {
        send(MANY);
        awaitHandled();
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch built = new CountDownLatch(1);
        String one = flock + "/0";
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            readers.add(CompletableFuture.runAsync(() -> readUntil(built, one, asked), threads));
        }
        CompletableFuture<Void> writer = CompletableFuture.runAsync(
                () -> {
                    while (built.getCount() > 0) {
                        send(50);
                    }
                },
                threads);

        try {
            assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isTrue();
            awaitBuilt();
        } finally {
            built.countDown();
        }
        writer.get(20, TimeUnit.SECONDS);
        for (CompletableFuture<Void> reader : readers) {
            reader.get(20, TimeUnit.SECONDS);
        }
        assertThat(asked).hasValueGreaterThan(100);
        awaitHandled();
        assertRowsAreTheFold();
        assertTownsAreTheFold();
    }

    /** Reads with a statement that the server has prepared, while the table is replaced. */
    private void readUntil(CountDownLatch built, String parcel, AtomicInteger asked) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement read =
                        connection.prepareStatement("SELECT moves FROM parcel_place WHERE parcel = ?")) {
            int before = 0;
            while (built.getCount() > 0) {
                read.setString(1, parcel);
                try (ResultSet row = read.executeQuery()) {
                    assertThat(row.next()).as("after %d moves", before).isTrue();
                    assertThat(row.getInt(1)).isGreaterThanOrEqualTo(before);
                    before = row.getInt(1);
                }
                asked.incrementAndGet();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("is another table then, with the names, the indexes and the settings of the old one")
    void anotherTable() {
        send(100);
        awaitHandled();
        List<Map<String, @Nullable Object>> before = shape();
        long table = tableNumber();

        replays.begin(ParcelPlaces.PROCESSOR);
        awaitBuilt();

        assertThat(tableNumber()).isNotEqualTo(table);
        assertThat(shape()).isEqualTo(before);
        assertThat(database.sql("SELECT to_regclass('parcel_place_next') IS NULL")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    @Test
    @DisplayName("is built once at a time, and not replaced while somebody reads the old one")
    void once() throws Exception {
        send(100);
        awaitHandled();
        long table = tableNumber();
        try (Connection reader = dataSource.getConnection()) {
            begin(reader, "SELECT count(*) FROM parcel_place");
            assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isTrue();
            assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isFalse();
            await().atMost(BUILT_MAX)
                    .until(() -> count(
                                    "SELECT count(*) FROM replay, event_head WHERE replay.position + 500 >= event_head.position")
                            == 1);
            send(100);
            awaitHandled();
            assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isFalse();
            assertThat(tableNumber()).isEqualTo(table);
            reader.rollback();
        }
        awaitBuilt();
        assertThat(tableNumber()).isNotEqualTo(table);
        assertRowsAreTheFold();
    }

    @Tag("trial")
    @Test
    @DisplayName("lacks nothing that a switch had written before it failed")
    void failedSwitch() throws Exception {
        send(PARCELS);
        awaitHandled();
        AtomicInteger switches = new AtomicInteger();
        ReplayableReadModel readModel = subject(() -> {
            if (switches.incrementAndGet() == 1) {
                throw new CannotAcquireLockException("a new table is being cleaned", new SQLException("", "55P03"));
            }
        });
        ReplayTable own = new ReplayTable(database);
        claim(own, readModel);

        new ReadModelReplay(logs.home(), readModel, history, database, new AmongMoves(), own, unstopped).run(0);

        assertThat(switches).hasValue(2);
        assertRowsAreTheFold();
        assertTownsAreTheFold();
    }

    /** Transactions before each of which some parcels move. So a switch has events that no range had before. */
    private final class AmongMoves implements TransactionOperations {

        @Override
        public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
            send(50);
            awaitHandled();
            return transactions.execute(action);
        }
    }

    @Tag("trial")
    @Test
    @DisplayName("goes on where it was when the process that builds it is killed")
    void killed() {
        send(MANY);
        awaitHandled();
        long table = tableNumber();
        ReplayTable dying = new ReplayTable(database);
        ReplayableReadModel readModel = subject();
        claim(dying, readModel);
        ReadModelReplay replay =
                new ReadModelReplay(logs.home(), readModel, history, database, new UntilKilled(3), dying, unstopped);
        assertThatThrownBy(() -> replay.run(0)).isInstanceOf(WorkerKilledException.class);
        long reached = count("SELECT position FROM replay");
        assertThat(reached).isBetween(10_000L, count("SELECT position FROM event_head") - 10_000);
        assertThat(tableNumber()).as("the old one answers").isEqualTo(table);
        assertRowsAreTheFold();

        List<Long> resumed = new ArrayList<>();
        database.sql("UPDATE replay SET claimed_at = now() - interval '11 s'").update();
        await().atMost(BUILT_MAX).pollInterval(Duration.ofMillis(5)).until(() -> {
            resumed.addAll(
                    database
                            .sql("SELECT resumed_from FROM replay WHERE resumed_from > 0")
                            .query(Long.class)
                            .list()
                            .stream()
                            .map(Objects::requireNonNull)
                            .toList());
            return count("SELECT count(*) FROM replay") == 0;
        });
        assertThat(new HashSet<>(resumed)).isEqualTo(Set.of(reached));
        assertThat(tableNumber()).isNotEqualTo(table);
        assertRowsAreTheFold();
        assertTownsAreTheFold();
    }

    @Tag("trial")
    @Test
    @DisplayName("is begun again if a crash of PostgreSQL has taken back what was in it")
    void takenBack() throws Exception {
        send(200);
        awaitHandled();
        long table = tableNumber();
        try (Connection reader = dataSource.getConnection()) {
            begin(reader, "SELECT count(*) FROM parcel_place");
            replays.begin(ParcelPlaces.PROCESSOR);
            long head = count("SELECT position FROM event_head");
            await().atMost(BUILT_MAX).until(() -> count("SELECT position FROM replay") >= head);
            transactions.executeWithoutResult(crash -> {
                database.sql("UPDATE replay SET position = 0").update();
                database.sql("DELETE FROM parcel_place_next").update();
                database.sql("DELETE FROM parcel_town_next").update();
            });
            send(100);
            awaitHandled();
            reader.rollback();
        }
        awaitBuilt();
        assertThat(tableNumber()).isNotEqualTo(table);
        assertRowsAreTheFold();
        assertTownsAreTheFold();
    }

    @Tag("trial")
    @Test
    @DisplayName("stays with the process that builds it while a range takes its time")
    void slow() throws Exception {
        send(MANY);
        awaitHandled();
        ReplayTable others = new ReplayTable(database);
        try (Connection holding = dataSource.getConnection()) {
            assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isTrue();
            begin(holding, "LOCK TABLE parcel_place_next IN ACCESS EXCLUSIVE MODE");
            await().atMost(BUILT_MAX)
                    .until(() -> count("SELECT count(*) FROM pg_locks WHERE NOT granted"
                                    + " AND relation = to_regclass('parcel_place_next')")
                            == 1);
            long position = count("SELECT position FROM replay");
            Set<String> claims = new HashSet<>();
            await().atMost(BUILT_MAX).until(() -> {
                claims.add(database.sql("SELECT claimed_at::text FROM replay")
                        .query(String.class)
                        .single());
                assertThat(others.waiting()).isEmpty();
                assertThat(others.claim(ParcelPlaces.PROCESSOR)).isEmpty();
                return claims.size() == 2;
            });
            assertThat(count("SELECT position FROM replay")).isEqualTo(position);
            holding.rollback();
        }
        awaitBuilt();
        assertRowsAreTheFold();
    }

    /** Begins a transaction that PostgreSQL does not end, however long this test takes. */
    private static void begin(Connection connection, String sql) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            statement.execute(sql);
        }
    }

    private static final class WorkerKilledException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** The transactions of a process that ends in the middle of one. */
    private final class UntilKilled implements TransactionOperations {

        private final AtomicInteger left;

        UntilKilled(int transactionsMax) {
            this.left = new AtomicInteger(transactionsMax);
        }

        @Override
        public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
            return transactions.execute((TransactionStatus transaction) -> {
                T result = action.doInTransaction(transaction);
                if (left.decrementAndGet() < 0) {
                    throw new WorkerKilledException();
                }
                return result;
            });
        }
    }

    @Test
    @DisplayName("does not wait for a processor that stands still, which finds it when it goes on")
    void standingStill() {
        send(200);
        awaitHandled();
        processor.shutDown();
        send(200);

        replays.begin(ParcelPlaces.PROCESSOR);
        awaitBuilt();

        processor.start();
        send(200);
        awaitHandled();
        assertRowsAreTheFold();
        assertTownsAreTheFold();
    }

    @Test
    @DisplayName("has the parked events, which wait no more and are not handled a second time")
    void parked() {
        send(100);
        awaitHandled();
        processor.shutDown();
        String parked = "INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at, dropped_because)"
                + " SELECT ?, max(position), 'somebody', 'x', now(), nullif(?, '') FROM event WHERE aggregate_id = ?";
        database.sql(parked).params(ParcelPlaces.PROCESSOR, "", flock + "/1").update();
        database.sql(parked).params("another", "", flock + "/1").update();
        database.sql(parked)
                .params(ParcelPlaces.PROCESSOR, "nobody wants it", flock + "/2")
                .update();

        replays.begin(ParcelPlaces.PROCESSOR);
        awaitBuilt();

        assertThat(database.sql("SELECT processor, dropped_because IS NULL AS waits FROM parked_event ORDER BY 1")
                        .query()
                        .listOfRows())
                .containsExactly(
                        Map.of("processor", "another", "waits", true),
                        Map.of("processor", ParcelPlaces.PROCESSOR, "waits", false));
        database.sql("DELETE FROM parked_event").update();
        processor.start();
        replays.begin(ParcelPlaces.PROCESSOR);
        awaitBuilt();
        assertRowsAreTheFold();
    }

    @Test
    @DisplayName("does not replace the old one while the position of the processor is unknown")
    void withoutToken() {
        send(100);
        awaitHandled();
        processor.shutDown();
        long table = tableNumber();
        database.sql("DELETE FROM token WHERE processor = ?")
                .param(ParcelPlaces.PROCESSOR)
                .update();

        replays.begin(ParcelPlaces.PROCESSOR);
        await().during(Duration.ofSeconds(2))
                .atMost(BUILT_MAX)
                .until(() -> tableNumber() == table && count("SELECT count(*) FROM replay") == 1);
        assertRowsAreTheFold();

        processor.start();
        awaitBuilt();
        awaitHandled();
        assertRowsAreTheFold();
    }

    @Tag("trial")
    @Test
    @DisplayName("is not built as long as no process knows all of the events")
    void ofANewerVersion() {
        processor.shutDown();
        String teleported = flock + "/teleported";
        transactions.executeWithoutResult(newer -> {
            database.sql("UPDATE event_head SET position = position + 1").update();
            database.sql("""
                            INSERT INTO event (position, event_id, at, sequence, aggregate_id, type, payload, metadata)
                            SELECT position, gen_random_uuid(), now(), 0, ?, 'parcel.teleported', '{}', '{}'
                            FROM event_head""").param(teleported).update();
            database.sql("UPDATE token SET token = (SELECT to_jsonb(position) FROM event_head)")
                    .update();
        });
        processor.start();
        send(100);
        awaitHandled();
        long table = tableNumber();

        try {
            replays.begin(ParcelPlaces.PROCESSOR);
            await().during(Duration.ofSeconds(2))
                    .atMost(BUILT_MAX)
                    .until(() -> tableNumber() == table && count("SELECT count(*) FROM replay") == 1);
            assertRowsAreTheFold();
        } finally {
            owner.sql("UPDATE event SET type = 'parcel.sent', payload = convert_to(?, 'UTF8') WHERE aggregate_id = ?")
                    .params("{\"parcel\": \"%s\"}".formatted(teleported), teleported)
                    .update();
        }
        // This process is of the newer version now.
        awaitBuilt();
        assertRowsAreTheFold();
    }

    @Test
    @DisplayName("stays as it was if it cannot be built, and can be built when the cause is fixed or dropped")
    void failing() {
        send(100);
        events.publish(moved(flock + "/unbearable", 0, atlantis));
        awaitHandled();
        long table = tableNumber();
        places.cannotBear(atlantis);

        assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isTrue();
        await().atMost(BUILT_MAX)
                .until(() -> count("SELECT count(*) FROM replay WHERE failed_because IS NOT NULL") == 1);
        assertThat(database.sql("SELECT failed_because FROM replay")
                        .query(String.class)
                        .single())
                .matches("event \\d+ cannot be handled: .*nobody can bear Atlantis of .*");
        assertThat(tableNumber()).isEqualTo(table);
        assertRowsAreTheFold();

        database.sql("""
                        INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at, dropped_because)
                        SELECT ?, position, aggregate_id, 'x', now(), 'nobody lives there' FROM event
                        WHERE aggregate_id = ?""").params(ParcelPlaces.PROCESSOR, flock + "/unbearable").update();
        assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isTrue();
        awaitBuilt();
        assertThat(tableNumber()).isNotEqualTo(table);
        assertThat(count("SELECT count(*) FROM parcel_place WHERE place = '" + atlantis + "'"))
                .isZero();

        database.sql("DELETE FROM parked_event").update();
        places.cannotBear(null);
        replays.begin(ParcelPlaces.PROCESSOR);
        awaitBuilt();
        assertRowsAreTheFold();
    }

    @Tag("trial")
    @Test
    @DisplayName("is begun again if its table is altered in the middle")
    void altered() {
        send(MANY);
        awaitHandled();
        ReplayTable dying = new ReplayTable(database);
        ReplayableReadModel readModel = subject();
        claim(dying, readModel);
        ReadModelReplay replay =
                new ReadModelReplay(logs.home(), readModel, history, database, new UntilKilled(2), dying, unstopped);
        assertThatThrownBy(() -> replay.run(0)).isInstanceOf(WorkerKilledException.class);
        owner.sql("CREATE INDEX parcel_place_by_place ON parcel_place (place)").update();
        try {
            database.sql("UPDATE replay SET claimed_at = now() - interval '11 s'")
                    .update();
            awaitBuilt();
            assertThat(shape().toString()).contains("parcel_place_by_place");
            assertRowsAreTheFold();
        } finally {
            owner.sql("DROP INDEX parcel_place_by_place").update();
        }
    }

    @Test
    @DisplayName("is one whose processor has nothing but projections")
    void replayable() {
        assertThat(replays.replayable()).containsExactly(ParcelPlaces.PROCESSOR);
        assertThatThrownBy(() -> replays.begin("arrivals")).hasMessageContaining("arrivals");
    }

    private void claim(ReplayTable owner, ReplayableReadModel readModel) {
        transactions.executeWithoutResult(transaction -> {
            owner.begin(ParcelPlaces.PROCESSOR);
            readModel.tables().forEach(each -> each.create(database));
            owner.claim(ParcelPlaces.PROCESSOR);
        });
    }

    private ReplayableReadModel subject() {
        return subject(() -> {});
    }

    private ReplayableReadModel subject(Runnable replaced) {
        return new ReplayableReadModel(
                ParcelPlaces.PROCESSOR,
                ParcelPlaces.PROCESSOR,
                List.of(places.tables(), towns.tables()),
                List.of(new AnnotationEventHandlerAdapter(places), new AnnotationEventHandlerAdapter(towns)),
                Set.of(),
                replaced);
    }

    private synchronized void send(int moves) {
        int left = moves;
        while (left > 0) {
            List<EventMessage<?>> messages = new ArrayList<>();
            for (int i = 0; i < Math.min(left, PER_COMMIT); i++) {
                int number = sent++;
                messages.add(moved(flock + "/" + number % PARCELS, number / PARCELS, "place " + number));
            }
            events.publish(messages);
            left -= messages.size();
        }
    }

    private static EventMessage<?> moved(String parcel, long sequence, String place) {
        return new GenericDomainEventMessage<>("parcel", parcel, sequence, new ParcelMoved(parcel, place));
    }

    private void awaitBuilt() {
        await().atMost(BUILT_MAX).until(() -> count("SELECT count(*) FROM replay") == 0);
    }

    private void awaitHandled() {
        long head = count("SELECT position FROM event_head");
        await().atMost(BUILT_MAX)
                .until(() -> processor.processingStatus().values().stream()
                        .anyMatch(status -> status.getCurrentPosition().orElse(0) >= head));
    }

    /** Compares the rows with all moves, since the processor has also seen earlier ones since the last replay. */
    private void assertTownsAreTheFold() {
        assertThat(database.sql("SELECT place, moves FROM parcel_town ORDER BY place")
                        .query()
                        .listOfRows())
                .isNotEmpty()
                .isEqualTo(database.sql(FOLD_OF_TOWNS).query().listOfRows());
    }

    private void assertRowsAreTheFold() {
        assertThat(database.sql(ROWS).param(flock + "%").query().listOfRows())
                .isNotEmpty()
                .isEqualTo(database.sql(FOLD).param(flock + "%").query().listOfRows());
    }

    private List<Map<String, @Nullable Object>> shape() {
        return database.sql("""
                        SELECT relname, relkind, reloptions::text, pg_get_indexdef(oid) AS definition FROM pg_class
                        WHERE oid = to_regclass('parcel_place')
                           OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = to_regclass('parcel_place'))
                        ORDER BY relname""").query().listOfRows();
    }

    private long tableNumber() {
        return count("SELECT to_regclass('parcel_place')::oid::bigint");
    }

    private long count(String sql) {
        return database.sql(sql).query(Long.class).single();
    }
}
