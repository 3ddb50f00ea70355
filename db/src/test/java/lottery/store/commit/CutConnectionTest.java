package lottery.store.commit;

import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.store.commit.Callers.CallerAnswer;
import lottery.store.commit.Proxy.Cut;
import lottery.store.log.OutcomeUnknownException;
import lottery.store.log.StoreBusyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("When the committer's connection breaks")
class CutConnectionTest {

    private static final Duration LOAD = Duration.ofSeconds(3);

    /** How long the load may take where a recovery takes seconds, because many programs share the processors. */
    private static final Duration STRUCK_MAX = Duration.ofMinutes(3);

    /** How many faults may strike one recovery. With more of them the database would be away. */
    private static final int FAULTS_IN_VAIN_MAX = 3;

    private static final int ANSWERS_MIN = 100;

    /** Short limits for the wait in the queue and for the search for an outcome. */
    private static final CommitterLimits SHORT = limits(Duration.ofSeconds(2));

    /** Longer than the committer waits for the end of a lost server process. */
    private static final CommitterLimits LONGER = limits(Duration.ofSeconds(5));

    /** Long limits, so that a slow recovery on a busy machine does not count as a database that is away. */
    private static final CommitterLimits PATIENT = new CommitterLimits(
            4_096,
            1_000,
            4 << 20,
            2_000,
            8 << 20,
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60));

    private final TestDatabase database;
    private final StoredLog stored;
    private final Proxy proxy;
    private final HikariDataSource pool;

    CutConnectionTest() throws IOException {
        database = TestDatabase.create("cuts");
        stored = new StoredLog(database.sql());
        proxy = new Proxy(database);
        pool = database.pool(proxy.url() + "?ApplicationName=committer", 4);
    }

    private static CommitterLimits limits(Duration outcomeWaitMax) {
        return new CommitterLimits(
                100, 1_000, 1 << 20, 2_000, 8 << 20, Duration.ofSeconds(1), outcomeWaitMax, Duration.ofSeconds(60));
    }

    @AfterEach
    void close() throws IOException {
        pool.close();
        proxy.close();
        database.close();
    }

    @Test
    @DisplayName("a unit whose request never ends does not hold up others for ever, because PostgreSQL ends it")
    void withoutEnd() {
        try (HikariDataSource limited = database.pool(proxy.url() + "?options=-c%20transaction_timeout=2s", 4);
                TestLog log = TestLog.on(limited, database.pool(), CommitterLimits.DEFAULT);
                Callers callers = new Callers(log.committer);
                TestLog other = TestLog.on(database)) {
            for (int i = 0; i < 10; i++) {
                log.committer.commit(unit(newId()));
            }
            await().pollDelay(Duration.ofMillis(50)).until(() -> log.tail.last() == 10);
            proxy.cut(Cut.BEFORE_SYNC);
            callers.commit(unit("endless"));
            await().until(() -> !proxy.isArmed());
            assertThat(Callers.ask(other.committer, unit(newId())).failure()).isEmpty();
        }
    }

    @Nested
    @DisplayName("while one unit is on its way")
    class One {

        private final TestLog log = TestLog.on(pool, database.pool(), CommitterLimits.DEFAULT);
        private final Callers callers = new Callers(log.committer);

        @BeforeEach
        void connected() {
            // Often enough that the driver prepares the statement on the server: then a commit is one packet.
            for (int i = 0; i < 10; i++) {
                log.committer.commit(unit(newId()));
            }
            // The notification that is still to come must not be what is cut.
            await().pollDelay(Duration.ofMillis(50)).until(() -> log.tail.last() == 10);
        }

        @AfterEach
        void close() {
            callers.close();
            log.close();
        }

        @ParameterizedTest(name = "{0}")
        @EnumSource(names = {"BEFORE_REQUEST", "BEFORE_ANSWER", "AFTER_REQUEST"})
        @DisplayName("it is stored exactly once, and its caller is told so")
        void onceEach(Cut where) {
            proxy.cut(where);
            CallerAnswer answer = Callers.ask(log.committer, unit(newId()));
            assertThat(proxy.isArmed()).as("a cut still to come").isFalse();
            assertThat(answer.failure()).isEmpty();
            stored.agreesWith(List.of(answer));
            assertThat(stored.number("SELECT count(*) FROM event")).isEqualTo(11);
            assertThat(log.committer.waiting()).isZero();
        }

        @Test
        @DisplayName("and the server still works on it, that work is ended before it is done again")
        void fenced() throws SQLException {
            try (HeadLock held = new HeadLock(database)) {
                callers.commit(unit("slow"));
                await().until(held::holdsUp);
                int lost = held.waiting();
                proxy.loseClients();
                await().until(() -> held.holdsUp() && held.waiting() != lost);
                assertThat(stored.number("SELECT count(*) FROM pg_stat_activity WHERE pid = " + lost))
                        .as("lost server processes")
                        .isZero();
            }
            List<CallerAnswer> answers = callers.answers();
            assertThat(answers).allMatch(CallerAnswer::stored);
            stored.agreesWith(answers);
        }

        @ParameterizedTest(name = "{0}")
        @EnumSource(names = {"BEFORE_REQUEST", "BEFORE_ANSWER", "AFTER_REQUEST"})
        @DisplayName("and it conflicts, its caller gets the conflict as ever")
        void guilty(Cut where) {
            CommitUnit claiming = unit(newId());
            claiming.take(new UniqueKeyClaim("seat", "1", "anna"));
            log.committer.commit(claiming);
            CommitUnit late = unit(newId());
            late.take(new UniqueKeyClaim("seat", "1", "bert"));
            proxy.cut(where);
            assertThat(Callers.ask(log.committer, late).failure())
                    .hasValueSatisfying(failure -> assertThat(failure).isInstanceOf(UniqueKeyTakenException.class));
        }

        @Test
        @DisplayName("and it was refused already, its caller gets the cause")
        void judged() {
            CommitUnit late = unit(newId());
            UniqueKeyClaim mine = new UniqueKeyClaim("seat", "1", "anna");
            late.take(mine);
            CommitUnit first = unit(newId());
            first.take(mine);
            log.committer.commit(first);
            // The refusal of the commit passes; the query for its cause is cut.
            proxy.cutAfter(1, Cut.BEFORE_ANSWER);
            assertThat(Callers.ask(log.committer, late).failure())
                    .hasValueSatisfying(failure -> assertThat(failure).isInstanceOf(UniqueKeyTakenException.class));
            assertThat(proxy.isArmed()).as("a cut still to come").isFalse();
        }

        @Test
        @DisplayName("and PostgreSQL cannot store it, its caller is told so")
        void impossible() {
            proxy.cut(Cut.BEFORE_ANSWER);
            assertThat(Callers.ask(log.committer, unit("poison\0")).failure())
                    .hasValueSatisfying(
                            failure -> assertThat(failure).isExactlyInstanceOf(UnstorableEventException.class));
        }

        @Test
        @DisplayName("other processes are notified if it had been stored")
        void announced() throws SQLException {
            try (Connection listening = database.direct().getConnection();
                    Statement listen = listening.createStatement()) {
                listen.execute("LISTEN event_head");
                // The second of two at once is not announced with its commit.
                log.committer.commit(unit(newId()));
                proxy.cut(Cut.BEFORE_ANSWER);
                assertThat(Callers.ask(log.committer, unit(newId())).failure()).isEmpty();
                PGConnection postgres = listening.unwrap(PGConnection.class);
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> Arrays.stream(postgres.getNotifications(10))
                                .anyMatch(heard -> heard.getParameter().equals("public:12")));
            }
        }
    }

    @Nested
    @DisplayName("again and again, under load,")
    class UnderLoad {

        private final Random random = new Random(11);

        @Test
        @DisplayName("because its server process is ended, every answer is true and none is a failure")
        void terminated() {
            List<CallerAnswer> answers = underLoad(
                    Duration.ofMillis(25),
                    () -> database.sql()
                            .sql(
                                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'committer'")
                            .query()
                            .listOfRows());
            assertThat(answers).allMatch(CallerAnswer::stored).hasSizeGreaterThan(ANSWERS_MIN);
            stored.agreesWith(answers);
        }

        @Test
        @DisplayName("because the network fails, every answer is true and none is a failure")
        void cut() {
            Cut[] cuts = Cut.values();
            List<CallerAnswer> answers = underLoad(Duration.ofMillis(60), () -> {
                if (random.nextInt(4) == 0) {
                    proxy.loseClients();
                } else {
                    proxy.cut(cuts[random.nextInt(cuts.length)]);
                }
            });
            assertThat(answers).allMatch(CallerAnswer::stored).hasSizeGreaterThan(ANSWERS_MIN);
            stored.agreesWith(answers);
        }

        private List<CallerAnswer> underLoad(Duration pause, Runnable fault) {
            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger answered = new AtomicInteger();
            try (TestLog log = TestLog.on(pool, database.pool(), PATIENT);
                    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<CompletableFuture<List<CallerAnswer>>> callers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    callers.add(
                            CompletableFuture.supplyAsync(() -> commitUntil(ended, log.committer, answered), threads));
                }
                try {
                    strike(fault, pause, answered);
                } finally {
                    // Callers that go on would keep a failure from being seen: the end waits for them.
                    proxy.cut(Cut.NOWHERE);
                    ended.set(true);
                }
                List<CallerAnswer> answers = new ArrayList<>();
                callers.forEach(caller -> {
                    assertThat(caller).succeedsWithin(PATIENT.answerWaitMax().toMillis(), TimeUnit.MILLISECONDS);
                    answers.addAll(caller.join());
                });
                return answers;
            }
        }

        /** Repeats a fault as often as the machine allows: a slow one needs longer for each recovery. */
        private static void strike(Runnable fault, Duration pause, AtomicInteger answered) {
            long end = System.nanoTime() + LOAD.toNanos();
            AtomicInteger answeredBefore = new AtomicInteger();
            AtomicInteger inVain = new AtomicInteger();
            await().pollDelay(Duration.ZERO)
                    .pollInterval(pause)
                    .atMost(STRUCK_MAX)
                    .until(() -> {
                        if (answered.get() > answeredBefore.getAndSet(answered.get())) {
                            inVain.set(0);
                        }
                        if (inVain.get() < FAULTS_IN_VAIN_MAX) {
                            inVain.incrementAndGet();
                            fault.run();
                        }
                        return System.nanoTime() > end && answered.get() > ANSWERS_MIN;
                    });
        }

        private static List<CallerAnswer> commitUntil(
                AtomicBoolean ended, Committer committer, AtomicInteger answered) {
            List<CallerAnswer> answers = new ArrayList<>();
            while (!ended.get()) {
                answers.add(Callers.ask(committer, unit(newId())));
                answered.incrementAndGet();
            }
            return answers;
        }
    }

    @Nested
    @DisplayName("and the database stays away")
    class DatabaseStaysAway {

        private final TestLog log = TestLog.on(pool, database.pool(), SHORT);
        private final Callers callers = new Callers(log.committer);

        @AfterEach
        void close() {
            callers.close();
            log.close();
        }

        @Test
        @DisplayName("units are refused within the limit, and stored again when the database is back")
        void refused() {
            log.committer.commit(unit(newId()));
            proxy.refuse();
            await().until(() -> log.committer.waiting() == 0);
            CallerAnswer first = Callers.ask(log.committer, unit(newId()));
            // It was sent over a connection that had gone, which nobody could know before the database was asked.
            assertThat(first.failure())
                    .hasValueSatisfying(e ->
                            assertThat(e).isInstanceOfAny(OutcomeUnknownException.class, StoreBusyException.class));
            for (int i = 0; i < 10; i++) {
                callers.commit(unit(newId()));
            }
            List<CallerAnswer> answers = callers.answers();
            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.failure())
                        .hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusyException.class));
                assertThat(answer.took()).isLessThan(Pools.BELOW_DRIVERS_MAX);
            });
            comesBack();
            stored.agreesWith(answers);
        }

        @Test
        @DisplayName(
                "during a commit, its callers learn in time that the outcome is unknown, and others are served later")
        void unknown() throws SQLException {
            try (HeadLock held = new HeadLock(database)) {
                callers.commit(unit("held up"));
                await().until(held::holdsUp);
                proxy.refuse();
                CallerAnswer answer = callers.answers().getFirst();
                assertThat(answer.unknown()).isTrue();
                assertThat(answer.took()).isBetween(SHORT.outcomeWaitMax(), Pools.BELOW_DRIVERS_MAX);
            }
            comesBack();
        }

        /** Waits until commits succeed again; the pool pauses between its attempts, too. */
        private void comesBack() {
            proxy.acceptAgain();
            List<CallerAnswer> later = new ArrayList<>();
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                later.add(Callers.ask(log.committer, unit(newId())));
                return later.getLast().stored();
            });
            stored.agreesWith(later);
        }

        @Test
        @DisplayName("every time that it is sent the same commit, the commit is given up within the limit")
        void hopeless() {
            JdbcClient owner = JdbcClient.create(database.owner());
            owner.sql("""
                            CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                            BEGIN
                                IF NEW.aggregate_id = 'deadly' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                                RETURN NEW;
                            END $$""").update();
            owner.sql("CREATE TRIGGER die BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION die()")
                    .update();
            // A connection that is only late must not count as a database that is away.
            try (TestLog direct = TestLog.on(database.pool(), database.pool(), LONGER)) {
                CallerAnswer answer = Callers.ask(direct.committer, unit("deadly"));
                assertThat(answer.failure())
                        .hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusyException.class));
                assertThat(answer.took()).isLessThan(Pools.BELOW_DRIVERS_MAX);
                assertThat(Callers.ask(direct.committer, unit(newId())).failure())
                        .isEmpty();
                stored.agreesWith(List.of(answer));
            }
        }
    }
}
