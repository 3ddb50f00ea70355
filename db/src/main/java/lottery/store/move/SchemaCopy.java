package lottery.store.move;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.store.connection.PostgresSessionAutoConfiguration;
import lottery.store.log.Log;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A copy of a log's schema on another PostgreSQL server, which PostgreSQL's logical replication makes and keeps up to
 * date. Each method can be repeated.
 */
final class SchemaCopy {

    /** The comment of a schema that is not complete yet, so that no process uses it. */
    private static final String INCOMPLETE = "incomplete copy";

    private static final String HISTORY = "flyway_schema_history";

    /** PostgreSQL's states of a lock that was not granted in time, and of a deadlock. */
    private static final Set<String> IN_USE = Set.of("55P03", "40P01");

    private static final String TABLES = """
            SELECT relname FROM pg_class
            WHERE relnamespace = to_regnamespace(?) AND relkind = 'r' AND relname <> '%s' ORDER BY relname""".formatted(HISTORY);

    private static final String WITHOUT_KEY = """
            SELECT relname FROM pg_class
            WHERE relnamespace = to_regnamespace(?) AND relkind = 'r'
              AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)""";

    /** A subscription belongs to one database of a server. */
    private static final String SUBSCRIPTION = """
            FROM pg_subscription
            WHERE subname = ? AND subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())""";

    /** Another lottery on the same server may have a slot with this name, too. */
    private static final String SLOT =
            "FROM pg_replication_slots WHERE slot_name = ? AND database = current_database()";

    private static final String PROGRESS = """
            SELECT count(*) FILTER (WHERE srsubstate = 'r'), count(*),
                   (SELECT sum(apply_error_count + sync_error_count) FROM pg_stat_subscription_stats WHERE subname = ?)
            FROM pg_subscription_rel WHERE srsubid IN (SELECT oid %s)""".formatted(SUBSCRIPTION);

    private static final String IS_ALL_PUBLISHED = """
            SELECT array_agg(relname::text ORDER BY relname)
                   = (SELECT array_agg(tablename::text ORDER BY tablename) FROM pg_publication_tables WHERE pubname = ?)
            FROM pg_class
            WHERE relnamespace = to_regnamespace(?) AND relkind = 'r' AND relname <> '%s'""".formatted(HISTORY);

    /** Sets each sequence behind the numbers that were copied, because logical replication leaves sequences out. */
    private static final String SEQUENCES = """
            SELECT format('SELECT setval(%L, (SELECT coalesce(max(%I), 0) + 1 FROM %I.%I), false)',
                          pg_get_serial_sequence(format('%I.%I', nspname, relname), attname), attname, nspname, relname)
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = ? AND attidentity <> '' AND relkind = 'r'""";

    private final int log;
    private final String schema;
    private final String fenced;
    private final OwnedDatabase source;
    private final OwnedDatabase target;
    private final JdbcClient from;
    private final JdbcClient to;

    /** The name of the publication, of the subscription and of the slot. */
    private final String name;

    SchemaCopy(int log, OwnedDatabase source, OwnedDatabase target) {
        this.log = log;
        this.schema = Log.schemaOf(log);
        this.fenced = schema + "_moved";
        this.source = source;
        this.target = target;
        this.from = source.sql();
        this.to = target.sql();
        this.name = "lottery_" + schema;
    }

    /**
     * It says what PostgreSQL has copied.
     *
     * @param errors how often the new server has failed
     */
    record Progress(int copied, int tables, long errors) {

        boolean isInitialCopyDone() {
            return tables > 0 && copied == tables;
        }

        String text() {
            String failed =
                    errors == 0 ? "" : "; the new server has failed %d times, and its log says why".formatted(errors);
            return "%d of %d tables are copied%s.".formatted(copied, tables, failed);
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

    private static List<String> select(JdbcClient database, String sql, String parameter) {
        return database.sql(sql)
                .param(parameter)
                .query((row, _) -> row.getString(1))
                .list();
    }

    private static void require(boolean isTrue, String refusal) {
        if (!isTrue) {
            throw new LogMoveRefusedException(refusal);
        }
    }

    /** @throws LogMoveRefusedException if a server lacks what a copy needs, or has what a copy would destroy */
    void requirePossible() {
        require(exists(from, schema), "There is no schema %s in the database of %s.".formatted(schema, source));
        require(
                !exists(from, fenced),
                "%1$s has the schema %2$s of an earlier move. Drop it first: DROP SCHEMA %2$s CASCADE."
                        .formatted(source, fenced));
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
        require(
                tables(to).isEmpty() || isIncomplete(to),
                "%1$s has tables in the schema %2$s. Drop it first, if nobody needs it: DROP SCHEMA %2$s CASCADE."
                        .formatted(target, schema));
        List<String> withoutKey = select(from, WITHOUT_KEY, schema);
        require(withoutKey.isEmpty(), "These tables have no primary key: %s.".formatted(withoutKey));
    }

    private boolean isIncomplete(JdbcClient database) {
        return isTrue(
                database,
                "SELECT coalesce(obj_description(to_regnamespace(?), 'pg_namespace') = ?, false)",
                schema,
                INCOMPLETE);
    }

    private static long server(JdbcClient database) {
        return database.sql("SELECT system_identifier FROM pg_control_system()")
                .query(Long.class)
                .single();
    }

    private List<String> tables(JdbcClient database) {
        return select(database, TABLES, schema);
    }

    /** Returns the tables as statements list them. */
    private String named(List<String> tables) {
        return tables.stream().map(table -> schema + "." + table).collect(Collectors.joining(", "));
    }

    /** Creates the empty tables of the copy, with the rights of the role that the lottery runs as. */
    void createTables(String applicationRole) {
        // Both at once, so that no process ever sees the schema without its comment.
        to.sql("DO $$ BEGIN CREATE SCHEMA IF NOT EXISTS %1$s; COMMENT ON SCHEMA %1$s IS '%2$s'; END $$"
                        .formatted(schema, INCOMPLETE))
                .update();
        try {
            Flyway.configure()
                    .dataSource(target.inSchemaOf(log).connections())
                    .locations("classpath:db/migration", "classpath:db/rights")
                    .placeholders(Map.of(PostgresSessionAutoConfiguration.APPLICATION_ROLE, applicationRole))
                    .defaultSchema(schema)
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw new LogMoveRefusedException(
                    "The tables of the copy could not be created: %s".formatted(e.getMessage()));
        }
        require(
                tables(from).equals(tables(to)) && version(from).equals(version(to)),
                "The tables of both databases differ. Use the version of the lottery that runs, and wait for replays to end.");
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
        stop();
        to.sql("TRUNCATE " + named(tables(to))).update();
        from.sql("CREATE PUBLICATION %s FOR TABLE %s".formatted(name, named(tables(from))))
                .update();
        try {
            to.sql("CREATE SUBSCRIPTION %s CONNECTION '%s' PUBLICATION %s"
                            .formatted(name, source.forServers().replace("'", "''"), name))
                    .update();
        } catch (DataAccessException e) {
            // Its message has the statement, and so the password.
            throw new LogMoveRefusedException("The new server cannot follow the old one: %s"
                    .formatted(NestedExceptionUtils.getMostSpecificCause(e).getMessage()));
        }
    }

    /** Returns whether PostgreSQL copies and follows the tables. */
    boolean isFollowing() {
        return isTrue(to, "SELECT EXISTS (SELECT %s AND subenabled)".formatted(SUBSCRIPTION), name)
                && isTrue(from, "SELECT EXISTS (SELECT %s)".formatted(SLOT), name);
    }

    Progress progress() {
        return to.sql(PROGRESS)
                .params(name, name)
                .query((row, _) -> new Progress(row.getInt(1), row.getInt(2), row.getLong(3)))
                .single();
    }

    /** Lets PostgreSQL know what the tables of the copy are like, so that its first plans are good ones. */
    void analyze() {
        to.sql("ANALYZE " + named(tables(to))).update();
    }

    /**
     * Lets nobody write to the old tables from now on: waits for the transactions that do, and gives the schema another
     * name.
     *
     * @return false if transactions did not end in time
     * @throws LogMoveRefusedException if the copy lacks a table that was added or replaced meanwhile
     */
    boolean fence() {
        try (Connection connection = source.connections().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL lock_timeout = '2s'");
            // Commits lock the head first, too.
            statement.execute("LOCK TABLE %s IN EXCLUSIVE MODE".formatted(named(List.of("event_head"))));
            statement.execute("LOCK TABLE %s IN EXCLUSIVE MODE".formatted(named(tables(from))));
            require(
                    isAllPublished(connection) && version(from).equals(version(to)),
                    "A table was changed, or a read model was built anew, during the move. Cancel it, and begin again.");
            statement.execute("ALTER SCHEMA %s RENAME TO %s".formatted(schema, fenced));
            connection.commit();
            return true;
        } catch (SQLException e) {
            if (IN_USE.contains(e.getSQLState())) {
                return false;
            }
            throw new LogMoveRefusedException("The old tables could not be closed: %s".formatted(e.getMessage()));
        }
    }

    private boolean isAllPublished(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(IS_ALL_PUBLISHED)) {
            statement.setString(1, name);
            statement.setString(2, schema);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Returns the present end of the old server's journal. */
    String end() {
        return from.sql("SELECT pg_current_wal_lsn()::text").query(String.class).single();
    }

    /** Returns whether the copy has all that was written before this place in the journal. */
    boolean hasReached(String end) {
        return isTrue(
                from,
                "SELECT coalesce((SELECT confirmed_flush_lsn >= ?::pg_lsn %s), false)".formatted(SLOT),
                end,
                name);
    }

    /** @throws LogMoveRefusedException if the copy lacks something */
    void requireEqual() {
        for (String table : List.of("event_head", "token", "counter", "counter_block")) {
            require(
                    digest(from, fenced, table).equals(digest(to, schema, table)),
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

    private static String digest(JdbcClient database, String schema, String table) {
        return database.sql(
                        "SELECT coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text COLLATE \"C\")), '') FROM %s.%s AS t"
                                .formatted(schema, table))
                .query(String.class)
                .single();
    }

    /** Lets processes use the copy. */
    void complete() {
        select(to, SEQUENCES, schema).forEach(set -> to.sql(set).query().listOfRows());
        to.sql("COMMENT ON SCHEMA %s IS NULL".formatted(schema)).update();
    }

    /** Ends the replication. The copied rows stay. */
    void stop() {
        if (isTrue(to, "SELECT EXISTS (SELECT %s)".formatted(SUBSCRIPTION), name)) {
            // By itself it would also drop its slot, and fail if there is none.
            to.sql("ALTER SUBSCRIPTION %s DISABLE".formatted(name)).update();
            to.sql("ALTER SUBSCRIPTION %s SET (slot_name = NONE)".formatted(name))
                    .update();
            to.sql("DROP SUBSCRIPTION " + name).update();
        }
        stopAtSource();
    }

    private void stopAtSource() {
        select(from, "SELECT pg_terminate_backend(active_pid, 10000) " + SLOT, name);
        select(from, "SELECT pg_drop_replication_slot(slot_name) " + SLOT, name);
        from.sql("DROP PUBLICATION IF EXISTS " + name).update();
    }

    /**
     * Opens the old tables again.
     *
     * @throws LogMoveRefusedException if they are not here, because the settings do not name their database
     */
    void unfence() {
        require(
                isFenced() || (exists(from, schema) && !isIncomplete(from)),
                "The log is not at %s. The settings have to name the database that it was moving from."
                        .formatted(source));
        if (isFenced()) {
            from.sql("ALTER SCHEMA %s RENAME TO %s".formatted(fenced, schema)).update();
        }
    }

    /** Ends the replication, and drops the copy. Returns false if the new server is gone, and the copy with it. */
    boolean drop() {
        try {
            require(server(from) != server(to), "The settings name the new server of the log, and not its old one.");
            stop();
            to.sql("DROP SCHEMA IF EXISTS %s CASCADE".formatted(schema)).update();
            return true;
        } catch (DataAccessResourceFailureException gone) {
            stopAtSource();
            return false;
        }
    }
}
