package lottery.store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Warns once, at the start, if the role of this process may change or delete stored events. */
final class EventTablePrivilegeStartCheck {

    private static final Logger log = LoggerFactory.getLogger(EventTablePrivilegeStartCheck.class);

    /**
     * Asks whether the current role may change stored events. The owner of the table counts as well, because it may
     * grant itself any right on the table.
     */
    private static final String MAY_CHANGE = """
            SELECT coalesce(bool_or(has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')
                                    OR pg_has_role(relowner, 'MEMBER')), false)
            FROM pg_class WHERE oid = to_regclass('event')""";

    private final JdbcClient database;

    EventTablePrivilegeStartCheck(JdbcClient database) {
        this.database = database;
    }

    void warn() {
        if (database.sql(MAY_CHANGE).query(Boolean.class).single()) {
            log.warn("The PostgreSQL role of this process may change stored events. Set LOTTERY_POSTGRES_OWNER to"
                    + " the role that owns the tables, and LOTTERY_POSTGRES_USER to another one.");
        }
    }
}
