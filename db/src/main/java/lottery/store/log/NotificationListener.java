package lottery.store.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import javax.sql.DataSource;
import lottery.store.loop.BackgroundLoop;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Listens, on a connection of its own, for notifications that other processes have written events. */
final class NotificationListener implements AutoCloseable {

    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration RECONNECT_PAUSE = Duration.ofSeconds(1);

    private final DataSource database;
    private final LogTail tail;
    private final BackgroundLoop loop = new BackgroundLoop(
            "log-listener",
            RECONNECT_PAUSE,
            this::connect,
            "PostgreSQL does not notify this process of new events: {}. It sees events of other processes"
                    + " up to a second late.");

    NotificationListener(DataSource database, LogTail tail) {
        this.database = database;
        this.tail = tail;
    }

    void start() {
        loop.start();
    }

    private void connect() throws SQLException {
        try (Connection connection = database.getConnection()) {
            listen(connection);
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + LogTail.CHANNEL);
            tail.seemsBehind();
            loop.recovered();
            try {
                while (!loop.isStopping()) {
                    PGNotification[] heard = postgres.getNotifications((int) WAIT.toMillis());
                    if (heard != null && isNews(heard)) {
                        tail.seemsBehind();
                    }
                }
            } finally {
                // The listener has used the driver's connection directly, so the pool may not know that it is broken.
                // This statement then fails through the pool, and the pool does not lend the connection again.
                statement.execute("UNLISTEN " + LogTail.CHANNEL);
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
        loop.close();
    }
}
