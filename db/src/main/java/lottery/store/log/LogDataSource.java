package lottery.store.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Gives connections to the schema of the current log. Its target is the pool of the home log. */
final class LogDataSource extends DelegatingDataSource {

    private final List<LogPool> pools;

    /** @param pools the pools of all logs, in the order of their numbers */
    LogDataSource(List<LogPool> pools) {
        super(pools.getFirst().unguarded());
        this.pools = List.copyOf(pools);
    }

    List<LogPool> pools() {
        return pools;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return pools.get(Log.currentNumber()).getConnection();
    }
}
