package lottery.store.log;

import com.zaxxer.hikari.HikariDataSource;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The pool of one of several logs. While the log does not answer, or is about to move to another database, it gives no
 * connection, and says so at once. Only callers that already have a connection wait for a server that hangs.
 */
final class LogPool extends DelegatingDataSource implements Closeable {

    private final int log;
    private volatile HikariDataSource target;
    private volatile boolean away;
    private volatile boolean moving;

    /** The place in the home log that was followed last. */
    private volatile @Nullable String place;

    LogPool(int log, HikariDataSource target) {
        super(target);
        this.log = log;
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

    /** Notes whether the log is about to move. */
    void moves(boolean isMoving) {
        moving = isMoving;
    }

    boolean isMoving() {
        return moving;
    }

    boolean isFollowing(String url) {
        return url.equals(place);
    }

    /** Gives connections to a place from now on, if they go elsewhere. Open connections are closed. */
    void moveTo(String url) {
        place = url;
        String address = Log.urlOf(log, url);
        HikariDataSource before = target;
        if (!address.equals(before.getJdbcUrl())) {
            target = like(before, address);
            // It waits for connections that are in use.
            Thread.startVirtualThread(before::close);
        }
    }

    /** Returns the address of the present database. */
    String address() {
        return target.getJdbcUrl();
    }

    /** Returns a pool with the same settings, for another schema or database. */
    static HikariDataSource like(HikariDataSource pool, String url) {
        HikariDataSource other = new HikariDataSource();
        pool.copyStateTo(other);
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        other.setDataSourceProperties(properties);
        other.setSchema(null);
        other.setJdbcUrl(url);
        return other;
    }

    boolean isAway() {
        return away || moving;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (isAway()) {
            throw new SQLTransientConnectionException(
                    "log %s %s".formatted(Log.nameOf(log), moving ? "moves" : "does not answer"));
        }
        return target.getConnection();
    }

    @Override
    public void close() {
        target.close();
    }
}
