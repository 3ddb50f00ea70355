package lottery.store.move;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import lottery.store.connection.PostgresSessionAutoConfiguration;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A copy of a schema on another PostgreSQL server, which PostgreSQL's logical replication makes and keeps up to date.
 * Each method can be repeated.
 */
final class SchemaCopy {

    /** What a schema is called that is not complete yet, so that no process uses it. */
    private static final String INCOMPLETE = "incomplete copy";

    private static final String HISTORY = "flyway_schema_history";

    /** PostgreSQL's state of a lock that was not granted in time. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final String TABLES = """
            SELECT relname FROM pg_class
            WHERE relnamespace = to_regnamespace(?) AND relkind = 'r' AND relname <> '%s' ORDER BY relname""".formatted(HISTORY);

    private static final String WITHOUT_KEY = """
            SELECT relname FROM pg_class
            WHERE relnamespace = to_regnamespace(?) AND relkind = 'r'
              AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)""";

    private static final String PROGRESS = """
            SELECT count(*) FILTER (WHERE srsubstate = 'r'), count(*),
                   (SELECT apply_error_count + sync_error_count FROM pg_stat_subscription_stats AS stats
                    WHERE stats.subid = pg_subscription.oid)
            FROM pg_subscription JOIN pg_subscription_rel ON srsubid = pg_subscription.oid
            WHERE subname = ? GROUP BY pg_subscription.oid""";

    /** Sets each sequence behind the numbers that were copied, because logical replication leaves sequences out. */
    private static final String SEQUENCES = """
            SELECT format('SELECT setval(%L, (SELECT coalesce(max(%I), 0) + 1 FROM %I.%I), false)',
                          pg_get_serial_sequence(format('%I.%I', nspname, relname), attname), attname, nspname, relname)
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = ? AND attidentity <> '' AND relkind = 'r'""";

    private final String schema;
    private final String fenced;
    private final OwnedDatabase source;
    private final OwnedDatabase target;
    private final JdbcClient from;
    private final JdbcClient to;

    /** The name of the publication, of the subscription and of the slot. */
    private final String name;

    SchemaCopy(String schema, OwnedDatabase source, OwnedDatabase target) {
        this.schema = schema;
        this.fenced = schema + "_moved";
        this.source = source;
        this.target = target;
        this.from = source.sql();
        this.to = target.sql();
        this.name = "lottery_" + schema;
    }

    /** What PostgreSQL has copied. */
    record Progress(int copied, int tables, long behindBytes, long errors) {

        boolean isInitialCopyDone() {
            return tables > 0 && copied == tables;
        }
    }

    /** Returns the name that the schema has on its old server when it has moved. */
    String fenced() {
        return fenced;
    }

    OwnedDatabase source() {
        return source;
    }

    boolean isFenced() {
        return exists(from, fenced) && !exists(from, schema);
    }

    private static boolean exists(JdbcClient database, String schema) {
        return isTrue(database, "SELECT to_regnamespace(?) IS NOT NULL", schema);
    }

    private static boolean isTrue(JdbcClient database, String sql, Object... parameters) {
        return Boolean.TRUE.equals(
                database.sql(sql).params(parameters).query(Boolean.class).single());
    }

    private static void require(boolean isTrue, String refusal) {
        if (!isTrue) {
            throw new LogMoveRefusedException(refusal);
        }
    }

    /** @throws LogMoveRefusedException if a server lacks what a copy needs */
    void requirePossible() {
        require(exists(from, schema), "There is no schema %s in the database of %s.".formatted(schema, source));
        require(
                !exists(from, fenced),
                "%s has the schema %s of an earlier move. Drop it first: DROP SCHEMA %s CASCADE."
                        .formatted(source, fenced, fenced));
        require(
                server(from) != server(to),
                "Both databases are on one PostgreSQL server, so a move would gain nothing.");
        require(
                isTrue(from, "SELECT current_setting('wal_level') = 'logical'"),
                "Logical replication is off. Set wal_level = logical on the old server, and restart it.");
        require(
                isTrue(from, "SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user"),
                "The role of %s may not replicate. As a superuser there: ALTER ROLE %s REPLICATION."
                        .formatted(source, source.owner()));
        require(
                isTrue(to, "SELECT pg_has_role('pg_create_subscription', 'USAGE')"),
                "The role of %s may not subscribe. As a superuser there: GRANT pg_create_subscription TO %s."
                        .formatted(target, target.owner()));
        List<String> withoutKey = names(from, WITHOUT_KEY, schema);
        require(withoutKey.isEmpty(), "These tables have no primary key: %s.".formatted(withoutKey));
    }

    private static long server(JdbcClient database) {
        return database.sql("SELECT system_identifier FROM pg_control_system()")
                .query(Long.class)
                .single();
    }

    /** Creates the empty tables of the copy, with the rights of the role that the lottery runs as. */
    void createTables(String applicationRole) {
        if (!exists(to, schema)) {
            to.sql("CREATE SCHEMA " + schema).update();
        }
        boolean isMarked = isTrue(
                to,
                "SELECT obj_description(to_regnamespace(?), 'pg_namespace') IS NOT DISTINCT FROM ?",
                schema,
                INCOMPLETE);
        require(
                isMarked || tables(to, schema).isEmpty(),
                "%s has tables in the schema %s. Drop it first, if nobody needs it: DROP SCHEMA %s CASCADE."
                        .formatted(target, schema, schema));
        to.sql("COMMENT ON SCHEMA %s IS '%s'".formatted(schema, INCOMPLETE)).update();
        Flyway.configure()
                .dataSource(target.connections())
                .locations("classpath:db/migration", "classpath:db/rights")
                .placeholders(Map.of(PostgresSessionAutoConfiguration.APPLICATION_ROLE, applicationRole))
                .defaultSchema(schema)
                .load()
                .migrate();
        require(
                tables(from, schema).equals(tables(to, schema)) && version(from).equals(version(to)),
                "The tables of both databases differ. Use the version of the lottery that runs, and wait for replays to end.");
    }

    private static List<String> tables(JdbcClient database, String schema) {
        return names(database, TABLES, schema);
    }

    private static List<String> names(JdbcClient database, String sql, String schema) {
        return database.sql(sql)
                .param(schema)
                .query((row, _) -> row.getString(1))
                .list();
    }

    private String version(JdbcClient database) {
        return database.sql("SELECT max(version) FROM %s.%s WHERE success".formatted(schema, HISTORY))
                .query(String.class)
                .single();
    }

    /** Begins to copy all tables and to follow their changes, unless that has begun. */
    void begin() {
        if (isFollowing()) {
            return;
        }
        String tables =
                tables(from, schema).stream().map(table -> schema + "." + table).collect(Collectors.joining(", "));
        to.sql("TRUNCATE " + tables).update();
        dropSlot();
        from.sql("DROP PUBLICATION IF EXISTS " + name).update();
        from.sql("CREATE PUBLICATION %s FOR TABLE %s".formatted(name, tables)).update();
        to.sql("CREATE SUBSCRIPTION %s CONNECTION '%s' PUBLICATION %s"
                        .formatted(name, source.forServers().replace("'", "''"), name))
                .update();
    }

    /** Returns whether PostgreSQL copies and follows the tables. */
    boolean isFollowing() {
        return isTrue(to, "SELECT EXISTS (SELECT FROM pg_subscription WHERE subname = ?)", name);
    }

    private void dropSlot() {
        from.sql("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = ?")
                .param(name)
                .query()
                .listOfRows();
    }

    Progress progress() {
        long behind = from.sql(
                        "SELECT pg_current_wal_lsn() - confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = ?")
                .param(name)
                .query(Long.class)
                .optional()
                .orElse(Long.MAX_VALUE);
        return to.sql(PROGRESS)
                .param(name)
                .query((row, _) -> new Progress(row.getInt(1), row.getInt(2), behind, row.getLong(3)))
                .optional()
                .orElseGet(() -> new Progress(0, 0, behind, 0));
    }

    /** Lets PostgreSQL know what the tables of the copy are like, so that its first plans are good ones. */
    void analyze() {
        tables(to, schema)
                .forEach(table ->
                        to.sql("ANALYZE %s.%s".formatted(schema, table)).update());
    }

    /**
     * Lets nobody write to the old tables from now on: waits for the transactions that do, and gives the schema another
     * name.
     *
     * @return false if transactions did not end in time
     */
    boolean fence() {
        if (isFenced()) {
            return true;
        }
        String tables =
                tables(from, schema).stream().map(table -> schema + "." + table).collect(Collectors.joining(", "));
        try (Connection connection = source.connections().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL lock_timeout = '2s'");
            statement.execute("LOCK TABLE " + tables + " IN EXCLUSIVE MODE");
            statement.execute("ALTER SCHEMA %s RENAME TO %s".formatted(schema, fenced));
            connection.commit();
            return true;
        } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                return false;
            }
            throw new IllegalStateException("the old tables could not be closed", e);
        }
    }

    /** Returns the place in the old server's journal behind which nothing about the schema follows. */
    String end() {
        return from.sql("SELECT pg_current_wal_lsn()::text").query(String.class).single();
    }

    boolean hasReached(String end) {
        return isTrue(
                from,
                "SELECT coalesce((SELECT confirmed_flush_lsn >= ?::pg_lsn FROM pg_replication_slots WHERE slot_name = ?), false)",
                end,
                name);
    }

    /** @throws LogMoveRefusedException if the copy lacks something */
    void requireEqual() {
        for (String table : List.of("event_head", "token", "counter", "counter_block")) {
            String rows =
                    "SELECT coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text COLLATE \"C\")), '') FROM %s.%s AS t";
            require(
                    digest(from, rows.formatted(fenced, table)).equals(digest(to, rows.formatted(schema, table))),
                    "The table %s of the copy differs from the old one. The log stays closed. Cancel the move."
                            .formatted(table));
        }
        require(
                isTrue(
                        to,
                        "SELECT position = (SELECT coalesce(max(position), 0) FROM %1$s.event) FROM %1$s.event_head"
                                .formatted(schema)),
                "The copy lacks the newest event. The log stays closed. Cancel the move.");
    }

    private static String digest(JdbcClient database, String sql) {
        return database.sql(sql).query(String.class).single();
    }

    /** Lets processes use the copy. */
    void complete() {
        names(to, SEQUENCES, schema).forEach(set -> to.sql(set).query().listOfRows());
        to.sql("COMMENT ON SCHEMA %s IS NULL".formatted(schema)).update();
    }

    /** Ends the replication. What was copied stays. */
    void stop() {
        to.sql("DROP SUBSCRIPTION IF EXISTS " + name).update();
        dropSlot();
        from.sql("DROP PUBLICATION IF EXISTS " + name).update();
    }

    /** Ends the replication, opens the old tables again and drops the copy. */
    void undo() {
        stop();
        if (isFenced()) {
            from.sql("ALTER SCHEMA %s RENAME TO %s".formatted(fenced, schema)).update();
        }
        to.sql("DROP SCHEMA IF EXISTS %s CASCADE".formatted(schema)).update();
    }
}
