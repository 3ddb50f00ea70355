package lottery.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.store.commit.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reader that begins with the oldest event")
class BeginningTest {

    private static final int TIMES = 3_000;

    /** Writes what a commit writes: the event, and the new head. */
    private static final String COMES = """
            BEGIN;
            INSERT INTO event (position, event_id, at, sequence, aggregate_id, type, payload, metadata)
            VALUES (1, gen_random_uuid(), now(), 0, 'first', 'first', '', '');
            UPDATE event_head SET position = 1;
            COMMIT""";

    private static final String NEVER_CAME = "BEGIN; DELETE FROM event; UPDATE event_head SET position = 0; COMMIT";

    private final TestDatabase database;
    private final LogReader reader;

    BeginningTest() {
        database = TestDatabase.create("beginning");
        reader = new LogReader(Logs.of(database.pool(), ShardRule.NONE).home(), () -> 0);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    @DisplayName("sees the first event of all, even if it is written at that very moment")
    void first() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            CompletableFuture<Void> comesAndGoes = CompletableFuture.runAsync(this::comesAndGoes, thread);
            while (!comesAndGoes.isDone()) {
                assertThat(reader.beginning()).isZero();
                looks.incrementAndGet();
            }
            comesAndGoes.get(1, TimeUnit.SECONDS);
        }
        assertThat(looks).hasValueGreaterThan(TIMES / 10);
    }

    private void comesAndGoes() {
        try (Connection connection = database.owner().getConnection();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < TIMES; i++) {
                statement.execute(COMES);
                statement.execute(NEVER_CAME);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
