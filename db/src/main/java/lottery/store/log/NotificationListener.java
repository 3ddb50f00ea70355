package lottery.store.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens, on a connection of its own, for notifications that other processes have written events. */
final class NotificationListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(NotificationListener.class);

    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration RECONNECT_PAUSE = Duration.ofSeconds(1);

    private final DataSource database;
    private final LogTail tail;
    private final Thread thread =
            Thread.ofPlatform().name("log-listener").daemon().unstarted(this::run);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    NotificationListener(DataSource database, LogTail tail) {
        this.database = database;
        this.tail = tail;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                try (Connection connection = database.getConnection()) {
                    listen(connection);
                } catch (SQLException | RuntimeException e) {
                    log.warn(
                            "PostgreSQL does not notify this process of new events: {}. It sees events of other"
                                    + " processes up to a second late. It tries again each second.",
                            e.getMessage());
                    closing.await(RECONNECT_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + LogWriter.CHANNEL);
            tail.seemsBehind();
            try {
                while (closing.getCount() > 0) {
                    PGNotification[] heard = postgres.getNotifications((int) WAIT.toMillis());
                    if (heard != null && isNews(heard)) {
                        tail.seemsBehind();
                    }
                }
            } finally {
                // The listener has used the driver's connection directly, so the pool may not know that it is broken.
                // This statement then fails through the pool, and the pool does not lend the connection again.
                statement.execute("UNLISTEN " + LogWriter.CHANNEL);
            }
        }
    }

    /** Returns whether a notification announces unknown events. This process receives its own notifications, too. */
    private boolean isNews(PGNotification[] heard) {
        return Arrays.stream(heard).anyMatch(word -> headIn(word.getParameter()) > tail.last());
    }

    private static long headIn(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            // Any client may send any text on the channel. Such a text counts as news, because to look for events
            // without need does no harm.
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            if (!ended.await(2 * WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                log.info("The listener for new events did not stop in time. It ends with the process.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
