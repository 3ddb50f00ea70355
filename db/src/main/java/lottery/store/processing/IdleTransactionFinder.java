package lottery.store.processing;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Finds the transactions of idle clients, because other transactions may wait for their locks. */
final class IdleTransactionFinder {

    private static final String IDLE_LONGEST = """
            SELECT format('%s at %s (pid %s) has done nothing in its transaction for %s s', application_name,
                coalesce(host(client_addr), 'this host'), pid, extract(epoch FROM clock_timestamp() - state_change)::bigint)
            FROM pg_stat_activity
            WHERE datname = current_database() AND backend_xid IS NOT NULL AND state LIKE 'idle in transaction%'
            ORDER BY state_change LIMIT 1""";

    private final JdbcClient database;

    IdleTransactionFinder(JdbcClient database) {
        this.database = database;
    }

    /** Describes, for operators, the transaction that has been idle for longest. */
    String idleLongest() {
        try {
            return database.sql(IDLE_LONGEST)
                    .query(String.class)
                    .optional()
                    .orElse("no client is idle in a transaction now");
        } catch (DataAccessException away) {
            return "PostgreSQL does not say whose";
        }
    }
}
