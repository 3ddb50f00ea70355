package lottery.store.log;

import static lottery.store.log.TestLog.newId;
import static lottery.store.log.TestLog.unit;
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
import lottery.store.log.Callers.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The committer's queue")
class QueueTest {

    private static final int PLACES = 20;

    private static final CommitterLimits LIMITS = new CommitterLimits(
            PLACES,
            1_000,
            1 << 20,
            2_000,
            8 << 20,
            Duration.ofSeconds(3),
            Duration.ofSeconds(3),
            Duration.ofSeconds(60));

    private final TestDatabase database;
    private final Stored stored;
    private final TestLog log;
    private final Callers callers;

    QueueTest() {
        database = TestDatabase.create("queues");
        stored = new Stored(database.sql());
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
        List<Answer> refused = new ArrayList<>();
        try (HeadLock held = new HeadLock(database)) {
            fill(held);
            for (int i = 0; i < 50; i++) {
                refused.add(Callers.ask(log.committer, unit(newId())));
            }
        }
        assertThat(refused).allSatisfy(answer -> {
            assertThat(answer.failure()).hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusy.class));
            assertThat(answer.took()).isLessThan(Duration.ofMillis(500));
        });
        List<Answer> accepted = callers.answers();
        assertThat(accepted).hasSize(PLACES + 1).allMatch(Answer::stored);
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
                    .hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusy.class));
        }
        owner.sql("GRANT INSERT ON event TO lottery_app").update();
        assertThat(Callers.ask(log.committer, unit(newId())).stored()).isTrue();
    }

    @Test
    @DisplayName("is emptied before the committer ends: accepted units are stored, later ones are refused")
    void emptied() throws SQLException {
        Thread closing = Thread.ofVirtual().unstarted(log.committer::close);
        try (HeadLock held = new HeadLock(database)) {
            fill(held);
            closing.start();
            await().until(() -> isClosed(Callers.ask(log.committer, unit(newId()))));
        }
        assertThat(callers.answers()).hasSize(PLACES + 1).allMatch(Answer::stored);
        await().until(() -> !closing.isAlive());
        Answer late = Callers.ask(log.committer, unit(newId()));
        assertThat(late.failure()).hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusy.class));
        assertThat(late.took()).isLessThan(Duration.ofMillis(500));
        stored.agreesWith(callers.answers());
    }

    @Test
    @DisplayName("that is closed under load gives every caller a true answer, and keeps none waiting")
    void rush() {
        List<CompletableFuture<List<Answer>>> rushing = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                rushing.add(CompletableFuture.supplyAsync(this::untilRefusedAsClosed, threads));
            }
            await().until(() -> stored.number("SELECT count(*) FROM event") > 200);
            log.committer.close();
            for (CompletableFuture<List<Answer>> each : rushing) {
                assertThat(each).succeedsWithin(10, TimeUnit.SECONDS);
            }
        }
        stored.agreesWith(rushing.stream().flatMap(each -> each.join().stream()).toList());
    }

    @Test
    @DisplayName("refuses a unit that has waited for its turn for too long")
    void tooLong() throws SQLException {
        try (HeadLock held = new HeadLock(database)) {
            fill(held);
            await().pollDelay(LIMITS.queueWaitMax()).until(() -> true);
        }
        List<Answer> answers = callers.answers();
        assertThat(answers.getFirst().stored()).as("the one that was under way").isTrue();
        assertThat(answers.subList(1, answers.size()))
                .allSatisfy(answer -> assertThat(answer.failure())
                        .hasValueSatisfying(e -> assertThat(e).isInstanceOf(StoreBusy.class)));
        stored.agreesWith(answers);
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
                        .allMatch(Answer::unknown)
                        .allSatisfy(answer ->
                                assertThat(answer.took()).isBetween(limits.answerWaitMax(), Duration.ofSeconds(6)));
            }
            Answer later = Callers.ask(hasty.committer, unit(newId()));
            assertThat(later.stored()).as("the committer goes on").isTrue();
            stored.isWhole();
        }
    }

    private void fill(HeadLock held) {
        callers.commit(unit(newId()));
        await().until(held::holdsUp);
        for (int i = 0; i < PLACES; i++) {
            callers.commit(unit(newId()));
        }
        await().until(() -> log.committer.waiting() == PLACES);
    }

    private List<Answer> untilRefusedAsClosed() {
        List<Answer> answers = new ArrayList<>();
        boolean closed = false;
        while (!closed) {
            Answer answer = Callers.ask(log.committer, unit(newId()));
            answers.add(answer);
            closed = isClosed(answer);
        }
        return answers;
    }

    private static boolean isClosed(Answer answer) {
        return answer.failure()
                .filter(e -> String.valueOf(e.getMessage()).contains("clos"))
                .isPresent();
    }
}
