package lottery.store.commit;

import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import lottery.store.commit.Callers.CallerAnswer;
import lottery.store.log.StoreBusyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The committer's queue")
class QueueTest {

    private static final int PLACES = 20;

    /** A long wait in the queue: a slow machine needs seconds to fill the queue and to empty it again. */
    private static final CommitterLimits LIMITS = limits(Duration.ofSeconds(30));

    private static final Duration AT_ONCE = Duration.ofMillis(500);

    private static final Duration RUSH_MAX = Duration.ofSeconds(60);

    /** The pause of a refused caller: without it, many callers would use up the processors and the memory. */
    private static final Duration AGAIN_AFTER = Duration.ofMillis(5);

    private final TestDatabase database;
    private final StoredLog stored;
    private final TestLog log;
    private final Callers callers;

    QueueTest() {
        database = TestDatabase.create("queues");
        stored = new StoredLog(database.sql());
        log = TestLog.on(database.pool(), database.pool(), LIMITS);
        callers = new Callers(log.committer);
    }

    @AfterEach
    void close() {
        callers.close();
        log.close();
        database.close();
    }

    @Test
    @DisplayName("refuses units at once when it is full, and stores nothing of them")
    void full() throws SQLException {
        List<CallerAnswer> refused = new ArrayList<>();
        try (HeadLock held = new HeadLock(database)) {
            fill(held, log, callers);
            for (int i = 0; i < 50; i++) {
                refused.add(Callers.ask(log.committer, unit(newId())));
            }
        }
        assertRefusedAtOnce(refused);
        List<CallerAnswer> accepted = callers.answers();
        assertThat(accepted).hasSize(PLACES + 1).allMatch(CallerAnswer::stored);
        stored.agreesWith(accepted);
        stored.agreesWith(refused);
    }

    @Test
    @DisplayName("refuses units as busy while PostgreSQL stores nothing, and goes on when it stores again")
    void notStored() {
        JdbcClient owner = JdbcClient.create(database.owner());
        owner.sql("REVOKE INSERT ON event FROM lottery_app").update();
        for (int i = 0; i < PLACES; i++) {
            assertThat(Callers.ask(log.committer, unit(newId())).failure())
                    .hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusyException.class));
        }
        owner.sql("GRANT INSERT ON event TO lottery_app").update();
        assertThat(Callers.ask(log.committer, unit(newId())).stored()).isTrue();
    }

    @Test
    @DisplayName("is emptied before the committer ends: accepted units are stored, later ones are refused")
    void emptied() throws SQLException {
        Thread closing = Thread.ofVirtual().unstarted(log.committer::close);
        try (HeadLock held = new HeadLock(database)) {
            fill(held, log, callers);
            closing.start();
            await().until(() -> isClosed(Callers.ask(log.committer, unit(newId()))));
        }
        assertThat(callers.answers()).hasSize(PLACES + 1).allMatch(CallerAnswer::stored);
        await().until(() -> !closing.isAlive());
        List<CallerAnswer> late = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            late.add(Callers.ask(log.committer, unit(newId())));
        }
        assertRefusedAtOnce(late);
        stored.agreesWith(callers.answers());
    }

    @Test
    @DisplayName("that is closed under load gives every caller a true answer, and keeps none waiting")
    void rush() {
        List<CompletableFuture<List<CallerAnswer>>> rushing = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; i < 50; i++) {
                    rushing.add(CompletableFuture.supplyAsync(this::untilRefusedAsClosed, threads));
                }
                await().atMost(RUSH_MAX).until(() -> stored.number("SELECT count(*) FROM event") > 200);
            } finally {
                // The callers go on until they are refused as closed, and the end waits for them.
                log.committer.close();
            }
            for (CompletableFuture<List<CallerAnswer>> each : rushing) {
                assertThat(each).succeedsWithin(LIMITS.answerWaitMax().toMillis(), TimeUnit.MILLISECONDS);
            }
        }
        stored.agreesWith(rushing.stream().flatMap(each -> each.join().stream()).toList());
    }

    @Test
    @DisplayName("refuses a unit that has waited for its turn for too long")
    void tooLong() throws SQLException {
        CommitterLimits limits = limits(Duration.ofSeconds(3));
        try (TestLog hasty = TestLog.on(database.pool(), database.pool(), limits);
                Callers hurried = new Callers(hasty.committer)) {
            try (HeadLock held = new HeadLock(database)) {
                fill(held, hasty, hurried);
                await().pollDelay(limits.queueWaitMax()).until(() -> true);
            }
            List<CallerAnswer> answers = hurried.answers();
            assertThat(answers.getFirst().stored())
                    .as("the one that was under way")
                    .isTrue();
            assertThat(answers.subList(1, answers.size()))
                    .allSatisfy(answer -> assertThat(answer.failure())
                            .hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusyException.class)));
            stored.agreesWith(answers);
        }
    }

    @Test
    @DisplayName("leaves no caller without an answer, however long the database takes for one group")
    void noAnswer() throws SQLException {
        Duration second = Duration.ofSeconds(1);
        CommitterLimits limits = new CommitterLimits(PLACES, 1_000, 1 << 20, 2_000, 8 << 20, second, second, second);
        try (TestLog hasty = TestLog.on(database.pool(), database.pool(), limits);
                Callers hurried = new Callers(hasty.committer)) {
            try (HeadLock held = new HeadLock(database)) {
                hurried.commit(unit(newId()));
                await().until(held::holdsUp);
                hurried.commit(unit(newId()));
                assertThat(hurried.answers())
                        .as("who is under way, and who waits")
                        .hasSize(2)
                        .allMatch(CallerAnswer::unknown)
                        .allSatisfy(answer ->
                                assertThat(answer.took()).isBetween(limits.answerWaitMax(), Pools.BELOW_DRIVERS_MAX));
            }
            CallerAnswer later = Callers.ask(hasty.committer, unit(newId()));
            assertThat(later.stored()).as("the committer goes on").isTrue();
            stored.isWhole();
        }
    }

    private static CommitterLimits limits(Duration queueWaitMax) {
        return new CommitterLimits(
                PLACES, 1_000, 1 << 20, 2_000, 8 << 20, queueWaitMax, Duration.ofSeconds(3), Duration.ofSeconds(60));
    }

    private static void fill(HeadLock held, TestLog full, Callers callers) {
        callers.commit(unit(newId()));
        await().until(held::holdsUp);
        for (int i = 0; i < PLACES; i++) {
            callers.commit(unit(newId()));
        }
        await().until(() -> full.committer.waiting() == PLACES);
    }

    /** Judges by the fastest answer, because on a busy machine a single one may take seconds. */
    private static void assertRefusedAtOnce(List<CallerAnswer> answers) {
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.failure()).hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusyException.class));
            assertThat(answer.took()).isLessThan(LIMITS.queueWaitMax());
        });
        assertThat(answers).anySatisfy(answer -> assertThat(answer.took()).isLessThan(AT_ONCE));
    }

    private List<CallerAnswer> untilRefusedAsClosed() {
        List<CallerAnswer> answers = new ArrayList<>();
        boolean closed = false;
        while (!closed) {
            CallerAnswer answer = Callers.ask(log.committer, unit(newId()));
            answers.add(answer);
            closed = isClosed(answer);
            if (!answer.stored() && !closed) {
                LockSupport.parkNanos(AGAIN_AFTER.toNanos());
            }
        }
        return answers;
    }

    private static boolean isClosed(CallerAnswer answer) {
        return answer.failure()
                .filter(e -> String.valueOf(e.getMessage()).contains("clos"))
                .isPresent();
    }
}
