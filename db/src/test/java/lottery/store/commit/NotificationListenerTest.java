package lottery.store.commit;

import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A log is notified by other processes")
class NotificationListenerTest {

    /**
     * The limit for half of all events. Without notifications they would take longer: the follower looks once a second.
     */
    private static final Duration MEDIAN_MAX = Duration.ofMillis(200);

    /** The limit without notifications: the follower looks once a second, and a busy machine is late. */
    private static final Duration LATE_MAX = Duration.ofSeconds(20);

    private static final int EVENTS = 21;

    /** A pool gives a connection away without a look if it was used within half a second. */
    private static final Duration BROKEN_AT_REST = Duration.ofMillis(700);

    private final TestDatabase database;
    private final TestLog writing;
    private final TestLog reading;

    NotificationListenerTest() {
        database = TestDatabase.create("words");
        writing = TestLog.on(database);
        reading = TestLog.on(database);
        awaitListeners();
    }

    @AfterEach
    void close() {
        reading.close();
        writing.close();
        database.close();
    }

    @Test
    @DisplayName("at once, also after a silence")
    void atOnce() {
        // Longer than the listener waits for a notification.
        await().pollDelay(Duration.ofMillis(700)).until(() -> true);
        assertThat(medianMillis()).isLessThan(MEDIAN_MAX.toMillis());
    }

    @Test
    @DisplayName("whatever else is sent on the channel")
    void rubbish() {
        for (String word : List.of("rubbish", "", "99999999999999999999", "-1", "0")) {
            database.sql()
                    .sql("SELECT pg_notify('event_head', ?)")
                    .param(word)
                    .query()
                    .singleRow();
        }
        assertThat(medianMillis()).isLessThan(MEDIAN_MAX.toMillis());
    }

    @Test
    @DisplayName("late while its connection is gone, and at once again when that is back")
    void comesBack() {
        endListeners();
        writing.committer.commit(unit(newId()));
        await().atMost(LATE_MAX).until(() -> reading.tail.last() == writing.tail.last());
        awaitListeners();
        assertThat(medianMillis()).isLessThan(MEDIAN_MAX.toMillis());
    }

    @Test
    @DisplayName("over connections that nobody else is given when they break")
    void evicts() throws SQLException {
        endListeners();
        long end = System.nanoTime() + BROKEN_AT_REST.toNanos();
        while (System.nanoTime() < end) {
            try (Connection one = database.pool().getConnection();
                    Connection other = database.pool().getConnection();
                    Connection third = database.pool().getConnection()) {
                for (Connection each : List.of(one, other, third)) {
                    try (Statement statement = each.createStatement()) {
                        assertThat(statement.execute("SELECT 1")).isTrue();
                    }
                }
            }
        }
    }

    private void endListeners() {
        assertThat(database.sql().sql("""
                                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                WHERE datname = 'words' AND query LIKE 'LISTEN%'""").query().listOfRows()).hasSize(2);
    }

    private void awaitListeners() {
        await().until(() -> new StoredLog(database.sql())
                        .number(
                                "SELECT count(*) FROM pg_stat_activity WHERE datname = 'words' AND query LIKE 'LISTEN%'")
                == 2);
    }

    private long medianMillis() {
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            writing.committer.commit(unit(newId()));
            long committed = System.nanoTime();
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> reading.tail.last() == writing.tail.last());
            took.add(Duration.ofNanos(System.nanoTime() - committed).toMillis());
        }
        return took.stream().sorted().toList().get(EVENTS / 2);
    }
}
