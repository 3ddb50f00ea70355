package lottery.store.commit;

import java.sql.SQLException;
import java.time.Duration;
import lottery.store.commit.CommitConnection.Backend;
import lottery.store.commit.CommitConnection.ConnectionSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committer's connection to PostgreSQL. It is opened when it is needed. After a loss, the new connection is not
 * used before the server process of the lost one can no longer commit. The class is not thread-safe.
 */
final class FencedConnection {

    static final Duration RECONNECT_PAUSE = Duration.ofMillis(50);

    private static final Logger log = LoggerFactory.getLogger(FencedConnection.class);

    /** Something to ask PostgreSQL, which may be asked again. */
    interface Question<T> {
        T ask(CommitConnection open) throws SQLException;
    }

    private final ConnectionSource connections;
    private final CommitterTimeSource clock;
    private @Nullable CommitConnection connection;
    private @Nullable Backend unfenced;

    FencedConnection(ConnectionSource connections, CommitterTimeSource clock) {
        this.connections = connections;
        this.clock = clock;
    }

    CommitConnection open() throws SQLException {
        CommitConnection open = connection;
        if (open == null) {
            open = connections.open();
            try {
                if (unfenced != null) {
                    open.fence(unfenced);
                }
            } catch (SQLException e) {
                open.abandon();
                throw e;
            }
            unfenced = null;
            connection = open;
        }
        return open;
    }

    /**
     * Asks a question, and asks it again after a broken connection.
     *
     * @param moment when the question is asked, for the log
     * @throws SQLException if there is still no answer after {@code waitMax}
     */
    <T> T ask(String moment, Duration waitMax, Question<T> question) throws SQLException {
        long sinceNanos = clock.nanos();
        while (true) {
            try {
                return question.ask(open());
            } catch (SQLException e) {
                log.warn("The connection to PostgreSQL broke {}: {}. It is opened again.", moment, e.getMessage());
                abandon();
                if (clock.nanos() - sinceNanos > waitMax.toNanos()) {
                    throw e;
                }
                clock.pause(RECONNECT_PAUSE);
            }
        }
    }

    /** Returns whether only the statement failed: it was rolled back, and the connection can still be used. */
    boolean isRefusal(SQLException e) {
        // The severity of the error is not used, because the server may report it in any language.
        return e instanceof PSQLException server
                && server.getServerErrorMessage() != null
                && connection != null
                && connection.isAlive();
    }

    /** Aborts the connection; the next one fences its server process. */
    void abandon() {
        CommitConnection open = connection;
        if (open != null) {
            unfenced = open.backend();
            connection = null;
            open.abandon();
        }
    }

    /** Gives the connection back at the end. Nothing may be running on it any more. */
    void giveBack() {
        if (connection != null) {
            connection.giveBack();
        }
    }
}
