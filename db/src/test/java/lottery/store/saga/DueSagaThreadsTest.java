package lottery.store.saga;

import static java.util.Objects.requireNonNull;
import static lottery.store.saga.Batches.parcels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import lottery.store.TestStore;
import lottery.store.log.Logs;
import lottery.store.processing.FailureClassifier;
import lottery.store.saga.Batches.Shown;
import lottery.store.saga.LateSagaQueries.PageEnd;
import lottery.store.saga.Search.SearchResult;
import lottery.store.saga.Trip.Posted;
import lottery.store.saga.Trip.Seen;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The poller of due sagas")
@SpringBootTest(classes = TestSagas.class)
@ResourceLock(TestStore.DATABASE)
@Timeout(60)
class DueSagaThreadsTest {

    private static final Instant NOON = TestSagas.MORNING.plus(Duration.ofHours(4));

    /** How long one process waits for the other one. It is shorter than a transaction may be idle. */
    private static final Duration BOTH_MAX = Duration.ofSeconds(10);

    private final Batches batches;
    private final Search search;
    private final JdbcClient database;
    private final Logs logs;
    private final PlatformTransactionManager spring;
    private final TransactionManager transactions;
    private final Serializer serializer;
    private final FailureClassifier failureClassifier;
    private final Configuration axon;
    private final AtomicReference<Instant> time;
    private final DueSagaThreads own;

    private boolean areClocksAgreed = true;

    @Autowired
    DueSagaThreadsTest(
            Batches batches,
            Search search,
            JdbcClient database,
            Logs logs,
            PlatformTransactionManager spring,
            TransactionManager transactions,
            Serializer serializer,
            FailureClassifier failureClassifier,
            Configuration axon,
            AtomicReference<Instant> time,
            DueSagaThreads own) {
        this.batches = batches;
        this.search = search;
        this.database = database;
        this.logs = logs;
        this.spring = spring;
        this.transactions = transactions;
        this.serializer = serializer;
        this.failureClassifier = failureClassifier;
        this.axon = axon;
        this.time = time;
        this.own = own;
    }

    @BeforeEach
    void empty() {
        batches.clear();
        search.forget();
    }

    @AfterEach
    void nothingIsDue() {
        time.set(TestSagas.MORNING);
        batches.clear();
    }

    /** Returns a runner like that of another process, which shares nothing but the database. */
    private DueSagaPollLoop<?> sweepAt(Instant now) {
        return sweeper(kinds().of(Trip.class), InstantSource.fixed(now));
    }

    private SagaTypeRegistry kinds() {
        return new SagaTypeRegistry(SagaNames.of(Map.of("trip", Trip.class, "walk", Walk.class)), () -> axon);
    }

    private <T> DueSagaPollLoop<T> sweeper(SagaType<T> kind, InstantSource clock) {
        return new DueSagaPollLoop<>(
                kind,
                logs.home(),
                new SagaTable(database, spring),
                new SagaDocumentCodec(serializer),
                failureClassifier,
                () -> axon,
                transactions,
                clock,
                () -> areClocksAgreed);
    }

    /** Another type of saga; there is one only when a test creates it. */
    public static class Walk implements SagaWithDueTime {

        public Walk() {}

        @Override
        public @Nullable Instant dueAt() {
            return null;
        }

        @Override
        public int attempts() {
            return 0;
        }

        @SagaEventHandler(associationProperty = "parcel")
        void on(Posted ignored) {}

        @SagaDueHandler
        void walk(Instant now, Search search) {
            search.of("walk");
        }
    }

    private void post(List<String> parcels) {
        batches.handle(parcels.stream().map(parcel -> new Posted(parcel, NOON)).toList());
    }

    private void post(String... parcels) {
        post(List.of(parcels));
    }

    @Test
    @DisplayName("lets the sagas act that are due, and no others")
    void due() {
        batches.handle(new Posted("due", NOON), new Posted("later", NOON.plusSeconds(1)), new Posted("never", null));
        assertThat(sweepAt(NOON.minusMillis(1)).look()).isZero();
        assertThat(sweepAt(NOON).look()).isEqualTo(1);
        assertThat(search.sent()).containsExactly("due");
        assertThat(sweepAt(NOON).look()).isZero();
        assertThat(batches.searches()).containsExactly(1, 0, 0);
    }

    @Test
    @DisplayName("lets none act while the clocks do not agree")
    void inDoubt() {
        post("a");
        areClocksAgreed = false;
        DueSagaPollLoop<?> loop = sweepAt(NOON.plus(Duration.ofDays(31)));
        assertThat(loop.look()).isZero();
        assertThat(search.begun()).isEmpty();
        areClocksAgreed = true;
        assertThat(loop.look()).isEqualTo(1);
    }

    @Test
    @DisplayName("shares a thousand of them between two processes: each acts exactly once")
    void twoProcesses() throws Exception {
        List<String> parcels = parcels("p", 1_000);
        post(parcels);
        Set<Thread> busy = ConcurrentHashMap.newKeySet();
        search.answers(parcel -> {
            if (busy.add(Thread.currentThread())) {
                // Otherwise one of them may be done with all before the other one begins.
                await().atMost(BOTH_MAX).until(() -> busy.size() == 2);
            }
            return SearchResult.DONE;
        });
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<Integer>> swept = threads.invokeAll(
                    Collections.nCopies(2, (Callable<Integer>) () -> sweepAll(sweepAt(NOON))), 30, TimeUnit.SECONDS);
            assertThat(swept.get(0).get(1, TimeUnit.SECONDS) + swept.get(1).get(1, TimeUnit.SECONDS))
                    .isEqualTo(1_000);
        } finally {
            threads.shutdownNow();
        }
        assertThat(busy).as("both took part").hasSize(2);
        assertThat(search.begun()).containsExactlyInAnyOrderElementsOf(parcels);
        assertThat(search.sent()).containsExactlyInAnyOrderElementsOf(parcels);
        assertThat(batches.searches()).hasSize(1_000).containsOnly(1);
    }

    private static int sweepAll(DueSagaPollLoop<?> sweep) {
        int all = 0;
        int taken = sweep.look();
        for (int looks = 1; taken > 0 && looks < 100; looks++) {
            all += taken;
            taken = sweep.look();
        }
        return all;
    }

    @Test
    @DisplayName("sends the messages of a saga once its new state is committed")
    void afterCommit() {
        post("a");
        AtomicReference<List<Integer>> seen = new AtomicReference<>(List.of());
        search.whenSent(parcel -> seen.set(batches.searches()));
        sweepAt(NOON).look();
        assertThat(seen.get()).containsExactly(1);
    }

    @Test
    @DisplayName("deletes a saga that ends")
    void ends() {
        post("a", "b");
        search.answers(parcel -> parcel.equals("a") ? SearchResult.GIVEN_UP : SearchResult.DONE);
        sweepAt(NOON).look();
        assertThat(batches.parcels()).containsExactly("b");
    }

    @Test
    @DisplayName("does not repeat a saga at once that is still due after it has acted")
    void stillDue() {
        post("a");
        search.answers(parcel -> SearchResult.GOES_ON);
        assertThat(sweepAll(sweepAt(NOON))).isEqualTo(1);
        assertThat(sweepAll(sweepAt(NOON.plusSeconds(1)))).isEqualTo(1);
    }

    @Test
    @DisplayName("postpones a saga that fails for longer and longer, and the others act")
    void failing() {
        post(parcels("p", 20));
        search.answers(parcel -> {
            if (parcel.equals("p7")) {
                throw new AssertionError("nobody finds " + parcel);
            }
            return SearchResult.DONE;
        });
        sweepAt(NOON).look();
        assertThat(search.sent()).hasSize(19).doesNotContain("p7");
        assertThat(batches.searches()).filteredOn(searches -> searches == 1).hasSize(19);
        assertThat(dueOf("p7")).isEqualTo(NOON.plusSeconds(5));
        LateSagaQueries late = lateSagas();
        assertThat(late.find("trip", NOON, PageEnd.BEGINNING, 10))
                .singleElement()
                .satisfies(saga -> {
                    assertThat(saga.association()).isEqualTo("p7");
                    assertThat(saga.failures()).isEqualTo(1);
                    assertThat(saga.cause()).contains("nobody finds p7");
                });
        assertThat(late.count(NOON, 10)).containsExactly(Map.entry("trip", 1L));
        sweepAt(NOON.plusSeconds(5)).look();
        assertThat(dueOf("p7")).isEqualTo(NOON.plusSeconds(15));
        sweepAt(NOON.plusSeconds(15)).look();
        assertThat(dueOf("p7")).isEqualTo(NOON.plusSeconds(35));
        search.answers(parcel -> SearchResult.DONE);
        assertThat(sweepAt(NOON.plusSeconds(34)).look()).isZero();
        assertThat(sweepAt(NOON.plusSeconds(35)).look()).isEqualTo(1);
        assertThat(search.sent()).hasSize(20).contains("p7");
        assertThat(late.find("trip", NOON, PageEnd.BEGINNING, 10))
                .as("failing no more")
                .isEmpty();
        assertThat(batches.rows()).allMatch(row -> row.failures() == 0);
        assertThat(DueSagaPollLoop.pauseAfter(1_000)).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    @DisplayName("that does not reach all sagas leaves late ones, which are listed in pages and can be made due again")
    void late() {
        LateSagaQueries late = lateSagas();
        post(parcels("p", 5));
        Instant soon = NOON.plus(LateSagaQueries.LATE);
        assertThat(late.find(null, soon, PageEnd.BEGINNING, 10))
                .as("not late yet")
                .isEmpty();
        Instant later = soon.plusMillis(1);
        List<LateSaga> first = late.find(null, later, PageEnd.BEGINNING, 3);
        List<LateSaga> second = late.find("trip", later, endOf(first.getLast()), 3);
        assertThat(first).extracting(LateSaga::association).containsExactly("p0", "p1", "p2");
        assertThat(second).extracting(LateSaga::association).containsExactly("p3", "p4");
        assertThat(late.find("expedition", later, PageEnd.BEGINNING, 3)).isEmpty();
        assertThat(late.retry("trip", "p3", soon)).as("it waits").isFalse();
        assertThat(late.retry("trip", "p3", later)).isTrue();
        assertThat(dueOf("p3")).isEqualTo(later);
    }

    @Test
    @DisplayName("lists sagas as late that act again and again without effect, until something has happened")
    void stuck() {
        post("stuck");
        search.answers(parcel -> SearchResult.GOES_ON);
        LateSagaQueries late = lateSagas();
        Instant now = NOON;
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(sweepAt(now).look()).isEqualTo(1);
            now = now.plusSeconds(2);
        }
        Instant due = dueOf("stuck");
        assertThat(sweepAt(now).look()).isEqualTo(1);
        now = now.plusSeconds(70);
        assertThat(sweepAt(now).look()).isEqualTo(1);
        assertThat(late.find("trip", now, PageEnd.BEGINNING, 10))
                .singleElement()
                .satisfies(saga -> {
                    assertThat(saga.since()).isEqualTo(due);
                    assertThat(saga.failures()).isZero();
                    assertThat(saga.cause()).contains("without effect");
                });
        assertThat(late.count(now, 10)).containsExactly(Map.entry("trip", 1L));

        search.answers(parcel -> SearchResult.DONE);
        assertThat(late.retry("trip", "stuck", now)).isTrue();
        assertThat(sweepAt(now).look()).isEqualTo(1);
        assertThat(late.find("trip", now.plusSeconds(3_600), PageEnd.BEGINNING, 10))
                .isEmpty();
    }

    @Test
    @DisplayName("leaves late sagas of a type that is unknown here, which are listed like all others")
    void lateAndUnknown() {
        post("a");
        database.sql("UPDATE saga SET type = 'expedition'").update();
        post("b");
        LateSagaQueries late = lateSagas();
        Instant later = NOON.plus(LateSagaQueries.LATE).plusMillis(1);
        assertThat(late.find(null, later, PageEnd.BEGINNING, 10))
                .extracting(LateSaga::type, LateSaga::association)
                .containsExactly(tuple("expedition", "a"), tuple("trip", "b"));
        assertThat(late.count(later, 10)).containsOnly(Map.entry("expedition", 1L), Map.entry("trip", 1L));
        assertThat(late.retry("expedition", "a", later)).isTrue();
    }

    private LateSagaQueries lateSagas() {
        return new LateSagaQueries(database);
    }

    private static PageEnd endOf(LateSaga saga) {
        return new PageEnd(requireNonNull(saga.since()), saga.association(), saga.type());
    }

    @Test
    @DisplayName("leaves sagas late that an outage keeps from acting, with the cause, for as long as it lasts")
    void awayAndLate() {
        LateSagaQueries late = lateSagas();
        post("a");
        AtomicReference<Instant> now = new AtomicReference<>(NOON);
        DueSagaPollLoop<?> sweeper = sweeper(kinds().of(Trip.class), now::get);
        search.answers(parcel -> {
            throw new UncheckedIOException(new SocketTimeoutException("nobody answers"));
        });
        looks(sweeper, now, 60);
        assertThat(dueOf("a")).as("looked at again and again").isAfter(NOON.plusSeconds(55));
        assertThat(late.find("trip", now.get(), PageEnd.BEGINNING, 10))
                .as("not late yet")
                .isEmpty();
        assertThat(late.count(now.get(), 10)).isEmpty();
        looks(sweeper, now, 1);
        assertThat(late.count(now.get(), 10)).containsExactly(Map.entry("trip", 1L));
        assertThat(late.find("trip", now.get(), PageEnd.BEGINNING, 10))
                .singleElement()
                .satisfies(saga -> {
                    assertThat(saga.since()).isEqualTo(NOON);
                    assertThat(saga.dueAt()).isAfter(NOON.plusSeconds(55));
                    assertThat(saga.failures()).isZero();
                    assertThat(saga.cause()).contains("nobody answers");
                });
        assertThat(late.retry("trip", "a", now.get())).isTrue();
        assertThat(dueOf("a")).isEqualTo(now.get());
        search.answers(parcel -> SearchResult.DONE);
        looks(sweeper, now, 1);
        assertThat(search.sent()).containsExactly("a");
        assertThat(late.find(null, now.get().plus(LateSagaQueries.LATE), PageEnd.BEGINNING, 10))
                .isEmpty();
    }

    @Test
    @DisplayName("leaves late sagas, which are listed in one order, and a page reads no more than it shows")
    void lateInOrder() {
        database.sql("""
                INSERT INTO saga (due_at, due_since, version, failures, association, type, saga_id, state)
                SELECT CASE WHEN i % 3 = 0 THEN :noon::timestamptz + interval '1 hour'
                            ELSE :noon::timestamptz - make_interval(secs => 60 + i / 10) END,
                       CASE WHEN i % 3 = 0 THEN :noon::timestamptz - make_interval(secs => 60 + i / 10) END,
                       1, CASE WHEN i % 3 = 0 THEN i % 2 ELSE 0 END, 'p' || i, CASE WHEN i % 5 = 0 THEN 'walk' ELSE 'trip' END, 'id', '{}'
                FROM generate_series(1, 20000) AS i""").param("noon", NOON.toString()).update();
        LateSagaQueries late = lateSagas();
        List<LateSaga> all = new ArrayList<>();
        PageEnd end = PageEnd.BEGINNING;
        for (int page = 0; page < 5; page++) {
            all.addAll(late.find(null, NOON, end, 50));
            end = endOf(all.getLast());
        }
        assertThat(all)
                .extracting(LateSaga::association)
                .containsExactlyElementsOf(database.sql("""
                                SELECT association FROM saga
                                ORDER BY coalesce(due_since, due_at), association, type LIMIT 250""").query(String.class).list());
        assertThat(late.find("walk", NOON, PageEnd.BEGINNING, 50))
                .hasSize(50)
                .allMatch(saga -> saga.type().equals("walk"));
        String next = """
                SELECT * FROM saga_find_late(ARRAY['trip', 'walk'], '%s', '%s', '%s', '%s', 51)""".formatted(NOON, end.since(), end.association(), end.type());
        assertThat(blocksRead(next)).as("of some hundred, if all were read").isBetween(1L, 150L);
        assertThat(blocksRead("SELECT * FROM saga_kinds()"))
                .as("of some hundred, too")
                .isBetween(1L, 150L);
    }

    /** Returns the blocks that a statement and its planning have read. */
    private long blocksRead(String sql) {
        String plan = database.sql("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + sql)
                .query(String.class)
                .single();
        JsonNode root = JsonMapper.shared().readTree(plan).path(0).path("Plan");
        return root.path("Shared Hit Blocks").asLong()
                + root.path("Shared Read Blocks").asLong();
    }

    private Instant dueOf(String parcel) {
        return database.sql("SELECT due_at FROM saga WHERE association = ?")
                .param(parcel)
                .query((row, i) -> row.getTimestamp(1).toInstant())
                .single();
    }

    @Test
    @DisplayName("does not count an outage as a failure of the sagas: a few try until it is over, then all")
    void away() {
        post(parcels("p", 120));
        AtomicReference<Instant> now = new AtomicReference<>(NOON);
        DueSagaPollLoop<?> sweeper = sweeper(kinds().of(Trip.class), now::get);
        search.answers(parcel -> {
            throw new UncheckedIOException(new SocketTimeoutException("nobody answers"));
        });
        assertThat(looks(sweeper, now, 8)).containsExactly(50, 25, 12, 6, 3, 1, 1, 1);
        assertThat(search.begun())
                .as("the first of each look fails, once with the others and once alone")
                .hasSize(13);
        assertThat(batches.rows()).allMatch(row -> row.failures() == 0 && row.version() == 1);
        search.answers(parcel -> SearchResult.DONE);
        assertThat(looks(sweeper, now, 8)).containsExactly(1, 2, 4, 8, 16, 32, 50, 7);
        assertThat(search.sent()).containsExactlyInAnyOrderElementsOf(parcels("p", 120));
    }

    /** Returns how many sagas each of several looks finds, a second after each other. */
    private static List<Integer> looks(DueSagaPollLoop<?> sweeper, AtomicReference<Instant> now, int count) {
        return IntStream.range(0, count)
                .map(look -> {
                    now.updateAndGet(before -> before.plusSeconds(1));
                    return sweeper.look();
                })
                .boxed()
                .toList();
    }

    @Test
    @DisplayName("is not held up by a saga whose failure looks like an outage")
    void notAway() {
        post(parcels("p", 30));
        AtomicReference<Instant> now = new AtomicReference<>(NOON);
        search.answers(parcel -> {
            if (parcel.equals("p7")) {
                throw new UncheckedIOException(new SocketTimeoutException("nobody answers"));
            }
            return SearchResult.DONE;
        });
        DueSagaPollLoop<?> sweeper = sweeper(kinds().of(Trip.class), now::get);
        for (int i = 0; i < 30; i++) {
            // Other sagas act meanwhile, so that the usual number is tried at once again.
            post("later" + i);
            looks(sweeper, now, 2);
        }
        assertThat(search.sent()).hasSize(29 + 30).doesNotContain("p7");
    }

    @Test
    @DisplayName("lets no type of saga wait for another one")
    void kindsAreOnTheirOwn() throws Exception {
        CountDownLatch tripMayEnd = new CountDownLatch(1);
        CountDownLatch walked = new CountDownLatch(1);
        search.answers(parcel -> {
            if (parcel.equals("walk")) {
                walked.countDown();
            } else {
                await().atMost(Duration.ofSeconds(20)).until(() -> tripMayEnd.getCount() == 0);
            }
            return SearchResult.DONE;
        });
        DueSagaThreads sweep = new DueSagaThreads(kinds(), logs, (kind, _) -> sweeper(kind, InstantSource.fixed(NOON)));
        sweep.start();
        try {
            post("a");
            await().atMost(Duration.ofSeconds(10)).until(() -> search.begun().contains("a"));
            database.sql("""
                    INSERT INTO saga (association, type, version, saga_id, state, due_at)
                    VALUES ('w', 'walk', 1, 'x', '{}', ?::timestamptz)""").param(NOON.toString()).update();
            assertThat(walked.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            tripMayEnd.countDown();
            sweep.stop();
        }
    }

    @Test
    @DisplayName("is not held up by a saga that cannot be read, or that only another version knows")
    void unreadable() {
        post("a");
        database.sql("""
                INSERT INTO saga (association, type, version, saga_id, state, due_at)
                VALUES ('rubbish', 'trip', 1, 'x', '{"seen": "often"', ?::timestamptz),
                       ('strange', 'expedition', 1, 'y', '{}', ?::timestamptz)""")
                .params(NOON.minusSeconds(9).toString(), NOON.minusSeconds(9).toString())
                .update();
        sweepAt(NOON).look();
        assertThat(search.sent()).containsExactly("a");
        assertThat(dueOf("rubbish")).isEqualTo(NOON.plusSeconds(5));
        assertThat(dueOf("strange")).isEqualTo(NOON.minusSeconds(9));
    }

    @Test
    @DisplayName("that loses its connection in the middle has done nothing, and does all of it later")
    void connectionLost() {
        List<String> parcels = parcels("p", 20);
        post(parcels);
        AtomicBoolean lost = new AtomicBoolean();
        search.answers(parcel -> {
            if (parcel.equals("p7") && lost.compareAndSet(false, true)) {
                database.sql("SELECT pg_terminate_backend(pg_backend_pid())")
                        .query(Boolean.class)
                        .single();
            }
            return SearchResult.DONE;
        });
        sweepAt(NOON).look();
        sweepAt(NOON.plusSeconds(5)).look();
        assertThat(lost).isTrue();
        assertThat(search.sent()).containsExactlyInAnyOrderElementsOf(parcels);
        assertThat(batches.searches()).hasSize(20).containsOnly(1);
    }

    @Test
    @DisplayName("does not touch a saga while a batch handles an event for it, and lets the saga act afterwards")
    void besideBatch() {
        post("a");
        search.whenSeen(parcel -> inAnotherThread(() -> sweepAt(NOON).look()));
        batches.handle(new Seen("a"));
        assertThat(batches.rows()).containsExactly(new Shown("a", 1, 0, 2, 0));
        sweepAt(NOON).look();
        assertThat(batches.rows()).containsExactly(new Shown("a", 1, 1, 3, 0));
    }

    @Test
    @DisplayName("that lets a saga act makes a batch wait which has an event for it, and the batch reads the new state")
    void beforeBatch() throws InterruptedException {
        post("a");
        Thread batch = Thread.ofPlatform().unstarted(() -> batches.handle(new Seen("a")));
        search.answers(parcel -> {
            batch.start();
            await().until(this::isBatchWaiting);
            return SearchResult.DONE;
        });
        sweepAt(NOON).look();
        assertThat(batch.join(Duration.ofSeconds(10))).isTrue();
        assertThat(batches.rows()).containsExactly(new Shown("a", 1, 1, 3, 0));
    }

    @Test
    @DisplayName("does not wait for a batch to postpone a saga that has failed")
    void failedBesideBatch() {
        post("a");
        SagaTable table = new SagaTable(database, spring);
        SagaRow row = table.lock("trip", List.of("a")).getFirst();
        AtomicBoolean isPutOff = new AtomicBoolean(true);
        search.whenSeen(parcel -> inAnotherThread(
                () -> isPutOff.set(table.putOff(row, NOON.plusSeconds(5), new IllegalStateException("broken")))));
        batches.handle(new Seen("a"));
        assertThat(isPutOff).isFalse();
        assertThat(batches.rows()).containsExactly(new Shown("a", 1, 0, 2, 0));
    }

    private boolean isBatchWaiting() {
        return database.sql("""
                        SELECT count(*) > 0 FROM pg_stat_activity
                        WHERE wait_event_type = 'Lock' AND datname = current_database()
                            AND query LIKE '%saga_lock%'""").query(Boolean.class).single();
    }

    private static void inAnotherThread(Runnable work) {
        try {
            assertThat(Thread.ofPlatform().start(work).join(Duration.ofSeconds(10)))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("begins and stops with the process")
    void lifecycle() {
        post("a");
        time.set(NOON);
        await().atMost(Duration.ofSeconds(10)).until(() -> search.sent().equals(List.of("a")));
        own.stop();
        assertThat(own.isRunning()).isFalse();
        assertThat(isAlive("due-sagas-trip")).isFalse();
        own.start();
        assertThat(own.isRunning()).isTrue();
        post("b");
        await().atMost(Duration.ofSeconds(10)).until(() -> search.sent().equals(List.of("a", "b")));
    }

    private static boolean isAlive(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().equals(thread));
    }
}
