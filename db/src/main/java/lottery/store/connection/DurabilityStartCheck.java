package lottery.store.connection;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stops the start of a process if a crash of its PostgreSQL could lose committed events, unless the operator accepts
 * this risk.
 */
public final class DurabilityStartCheck {

    private static final Logger log = LoggerFactory.getLogger(DurabilityStartCheck.class);

    /** A SQL expression that lists the settings that are off but must be on. */
    public static final String OFF = """
            (SELECT coalesce(string_agg(name, ', ' ORDER BY name), '') FROM pg_settings
             WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off')""";

    private final List<JdbcClient> databases;
    private final boolean wanted;

    /**
     * @param databases the databases of all logs
     * @param wanted whether the operator accepts that a crash may lose committed events
     */
    public DurabilityStartCheck(List<JdbcClient> databases, boolean wanted) {
        this.databases = List.copyOf(databases);
        this.wanted = wanted;
    }

    public void check() {
        databases.forEach(this::check);
    }

    private void check(JdbcClient database) {
        String off = database.sql("SELECT " + OFF).query(String.class).single();
        if (off.isEmpty()) {
            return;
        }
        if (!wanted) {
            throw new PostgresNotDurableException(off);
        }
        warn(off);
    }

    /** Logs which settings are off. It is also used when the running process connects to a PostgreSQL server later. */
    public static void warn(String off) {
        if (!off.isEmpty()) {
            log.error("PostgreSQL may lose committed events in a crash, because these settings are off: {}", off);
        }
    }
}
