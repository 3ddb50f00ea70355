package lottery.store.commit;

import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import lottery.store.commit.Callers.CallerAnswer;
import lottery.store.log.StoreBusyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A log that goes back, or belongs to a newer version,")
class LogDivergenceGuardTest {

    private static final Duration NOTICED_MAX = Duration.ofSeconds(20);

    private final TestDatabase database = TestDatabase.create("history");
    private final StoredLog stored = new StoredLog(database.sql());
    private final TestLog log = TestLog.on(database);
    private final Callers callers = new Callers(log.committer);

    @AfterEach
    void close() {
        callers.close();
        log.close();
        database.close();
    }

    private void write(TestLog at, int units) {
        for (int i = 0; i < units; i++) {
            at.committer.commit(unit(newId()));
        }
    }

    /** Lets PostgreSQL be as it was at a position, at once. */
    private void goBackTo(long position) {
        JdbcClient.create(database.owner())
                .sql("""
                        WITH gone AS (DELETE FROM event WHERE position > ?), back AS (DELETE FROM claim WHERE position > ?)
                        UPDATE event_head SET position = ?""")
                .params(position, position, position)
                .update();
    }

    @Test
    @DisplayName("gets nothing from a process that knows more, neither events nor claims, and ends it")
    void written() {
        CommitUnit taking = unit(newId());
        UniqueKeyClaim claim = new UniqueKeyClaim("seat", "1", "anna");
        taking.take(claim);
        log.committer.commit(taking);
        write(log, 5);
        goBackTo(3);
        CommitUnit late = unit(newId());
        late.take(new UniqueKeyClaim("seat", "2", "ben"));
        CallerAnswer answer = Callers.ask(log.committer, late);
        assertThat(answer.failure())
                .hasValueSatisfying(e ->
                        assertThat(e).isInstanceOf(StoreBusyException.class).hasMessageContaining("gone back"));
        assertThat(log.ends.get()).as("ends of the process").isPositive();
        assertThat(log.claims.holderOf("seat", "2")).isEmpty();
        stored.agreesWith(List.of(answer));
        assertThat(stored.number("SELECT position FROM event_head")).isEqualTo(3);
    }

    @Test
    @DisplayName("is noticed even if other events are in the places of those that are gone")
    void overtaken() {
        write(log, 5);
        goBackTo(3);
        try (TestLog other = TestLog.on(database)) {
            write(other, 4);
            CallerAnswer answer = Callers.ask(log.committer, unit(newId()));
            assertThat(answer.stored()).isFalse();
            assertThat(log.ends.get()).as("ends of the process").isPositive();
            write(other, 1);
            assertThat(other.ends.get())
                    .as("ends of the process that knows this log")
                    .isZero();
        }
        assertThat(stored.number("SELECT position FROM event_head")).isEqualTo(8);
        stored.isWhole();
    }

    @Test
    @DisplayName("is noticed by a process that writes nothing, and the others of its events are not read")
    void read() {
        write(log, 5);
        try (TestLog reader = TestLog.on(database)) {
            write(log, 1);
            await().atMost(NOTICED_MAX).until(() -> reader.tail.last() == 6);
            goBackTo(2);
            await().atMost(NOTICED_MAX).until(() -> reader.ends.get() > 0);
            assertThat(reader.tail.last()).isEqualTo(6);
        }
    }

    @Test
    @DisplayName("does not end a process that knows no more than it has")
    void known() {
        write(log, 3);
        try (TestLog other = TestLog.on(database)) {
            write(other, 1);
            await().atMost(NOTICED_MAX).until(() -> log.tail.last() == 4);
            write(log, 20);
            write(other, 20);
            await().atMost(NOTICED_MAX).until(() -> log.tail.last() == 44 && other.tail.last() == 44);
            assertThat(log.ends.get() + other.ends.get())
                    .as("ends of processes")
                    .isZero();
        }
        stored.isWhole();
    }

    @Test
    @DisplayName("gets no event whose predecessor it lacks, and all others of the same group")
    void predecessor() throws SQLException {
        log.committer.commit(unit("whole"));
        List<CallerAnswer> answers;
        try (HeadLock held = new HeadLock(database)) {
            callers.commit(unit(newId()));
            await().until(held::holdsUp);
            callers.commit(unit("gap", 5));
            callers.commit(unit("whole", 1));
            callers.commit(unit("new", 0));
            await().until(() -> log.committer.waiting() == 3);
        }
        answers = new ArrayList<>(callers.answers());
        assertThat(answers.get(1).failure())
                .hasValueSatisfying(e -> assertThat(e).isExactlyInstanceOf(StreamChangedException.class));
        assertThat(answers.stream().filter(CallerAnswer::stored)).hasSize(3);
        stored.agreesWith(answers);
        assertThat(log.ends.get()).isZero();
    }

    @Test
    @DisplayName("gets nothing from a process whose version a newer one has excluded, and ends it")
    void outdated() {
        write(log, 2);
        database.sql().sql("UPDATE event_head SET least_version = 1").update();
        write(log, 1);
        database.sql().sql("UPDATE event_head SET least_version = 2").update();
        CallerAnswer answer = Callers.ask(log.committer, unit(newId()));
        assertThat(answer.failure())
                .hasValueSatisfying(e ->
                        assertThat(e).isInstanceOf(StoreBusyException.class).hasMessageContaining("newer version"));
        assertThat(log.ends.get()).as("ends of the process").isPositive();
        assertThat(stored.number("SELECT position FROM event_head")).isEqualTo(3);
    }
}
