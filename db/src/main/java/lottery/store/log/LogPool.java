package lottery.store.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The pool of one of several logs. While the log does not answer, it gives no connection, and says so at once. Only
 * callers that already have a connection wait for a server that hangs.
 */
final class LogPool extends DelegatingDataSource {

    private final String name;
    private final DataSource target;
    private volatile boolean away;

    LogPool(String name, DataSource target) {
        super(target);
        this.name = name;
        this.target = target;
    }

    /** Returns the pool itself, which also gives connections while the log is away. */
    DataSource unguarded() {
        return target;
    }

    /** Notes whether the log has just answered. */
    void answers(boolean isThere) {
        away = !isThere;
    }

    boolean isAway() {
        return away;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (away) {
            throw new SQLTransientConnectionException("log %s does not answer".formatted(name));
        }
        return target.getConnection();
    }
}
