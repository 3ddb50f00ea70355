package lottery.store.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The pool of one of several logs. While the log does not answer, it gives no connection, and says so at once. So
 * nobody waits for a server that hangs, except the callers that were waiting already.
 */
final class LogPool extends DelegatingDataSource {

    /** How long a log may be silent until it counts as away. It is asked twice a second. */
    private static final Duration SILENT_MAX = Duration.ofSeconds(3);

    private final String name;
    private final DataSource target;

    /** When the log has last answered; 0: nobody asks it. */
    private volatile long answeredNanos;

    LogPool(String name, DataSource target) {
        super(target);
        this.name = name;
        this.target = target;
    }

    /** Returns the pool itself, for those who find out whether the log answers. */
    DataSource unguarded() {
        return target;
    }

    void answered() {
        answeredNanos = Math.max(1, System.nanoTime());
    }

    /** Notes that nobody asks the log from now on. */
    void unwatched() {
        answeredNanos = 0;
    }

    boolean isAway() {
        long answered = answeredNanos;
        return answered != 0 && System.nanoTime() - answered > SILENT_MAX.toNanos();
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (isAway()) {
            throw new SQLTransientConnectionException("log %s does not answer".formatted(name));
        }
        return target.getConnection();
    }
}
