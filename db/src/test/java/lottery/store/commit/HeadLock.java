package lottery.store.commit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Locks the head of the log like a commit under way: all other commits wait until this is closed. */
final class HeadLock implements AutoCloseable {

    private final Connection connection;

    HeadLock(TestDatabase database) throws SQLException {
        connection = database.direct().getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("UPDATE event_head SET position = position");
        }
    }

    /** Returns whether a commit waits for this lock already. */
    boolean holdsUp() throws SQLException {
        return waiting() != 0;
    }

    /** Returns the server process that waits for this lock, or 0. */
    int waiting() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
