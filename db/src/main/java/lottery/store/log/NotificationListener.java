package lottery.store.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import lottery.store.loop.BackgroundLoop;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens, on a connection of its own, for notifications that other processes have written events. If there are several
 * logs, it also finds out whether its log answers.
 */
public final class NotificationListener implements AutoCloseable {

    private static final Duration WAIT = Duration.ofMillis(500);

    /** How long the server may take for an answer, if there are several logs. */
    private static final int ANSWER_MAX_SECONDS = 2;

    private static final Duration RECONNECT_PAUSE = Duration.ofSeconds(1);

    private final Log log;
    private final LogTail tail;
    private final BackgroundLoop loop = new BackgroundLoop(
            "log-listener",
            RECONNECT_PAUSE,
            this::connect,
            "PostgreSQL does not notify this process of new events: {}. It sees events of other processes"
                    + " up to a second late.");

    public NotificationListener(Log log, LogTail tail) {
        this.log = log;
        this.tail = tail;
    }

    public void start() {
        loop.start();
    }

    private void connect() throws SQLException {
        try (Connection connection = log.unguardedPool().getConnection()) {
            listen(connection);
        } catch (SQLException e) {
            log.guarded().filter(_ -> !loop.isStopping()).ifPresent(pool -> pool.answers(false));
            throw e;
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        String schema = connection.getSchema();
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + LogTail.CHANNEL);
            tail.seemsBehind();
            loop.recovered();
            try {
                while (!loop.isStopping()) {
                    requireAnswer(connection);
                    PGNotification[] heard = postgres.getNotifications((int) WAIT.toMillis());
                    if (heard != null && Arrays.stream(heard).anyMatch(word -> isNews(word.getParameter(), schema))) {
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

    /** If there are several logs, asks the server whether it is there, so that nobody else waits for one that hangs. */
    private void requireAnswer(Connection connection) throws SQLException {
        Optional<LogPool> guarded = log.guarded();
        if (guarded.isPresent()) {
            if (!connection.isValid(ANSWER_MAX_SECONDS)) {
                // The next statement on this connection may wait for the server, too.
                guarded.get().answers(false);
                throw new SQLTransientConnectionException(log + " does not answer");
            }
            guarded.get().answers(true);
        }
    }

    /**
     * Returns whether a notification announces unknown events of this schema. This process receives its own
     * notifications, too. Version 1.0.0 names no schema.
     */
    private boolean isNews(String word, String schema) {
        int end = word.lastIndexOf(':');
        return (end < 0 || word.substring(0, end).equals(schema)) && headIn(word.substring(end + 1)) > tail.last();
    }

    private static long headIn(String text) {
        try {
            return Long.parseLong(text);
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
