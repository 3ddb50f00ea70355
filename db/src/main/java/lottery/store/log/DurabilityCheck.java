package lottery.store.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Lets no process start on a PostgreSQL that a crash would set back, unless that is wanted. */
final class DurabilityCheck {

    private static final Logger log = LoggerFactory.getLogger(DurabilityCheck.class);

    /** An expression for the settings that are off, and must not be. */
    static final String OFF = """
            (SELECT coalesce(string_agg(name, ', ' ORDER BY name), '') FROM pg_settings
             WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off')""";

    private final JdbcClient database;
    private final boolean wanted;

    /** @param wanted whether it is accepted that the log may go back */
    DurabilityCheck(JdbcClient database, boolean wanted) {
        this.database = database;
        this.wanted = wanted;
    }

    void check() {
        String off = database.sql("SELECT " + OFF).query(String.class).single();
        if (off.isEmpty()) {
            return;
        }
        if (!wanted) {
            throw new PostgresNotDurable(off);
        }
        warn(off);
    }

    /** Warns of the settings that are off on a server that the process has got to later. */
    static void warn(String off) {
        if (!off.isEmpty()) {
            log.error("PostgreSQL may lose what it has confirmed, because these are off: {}", off);
        }
    }
}
