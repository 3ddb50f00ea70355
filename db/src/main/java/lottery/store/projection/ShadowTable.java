package lottery.store.projection;

import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A table that can be built a second time beside the first. In one commit the second table then replaces the first, and
 * gets the first table's name. Until then the second table has no triggers, because the effects of the triggers for
 * each row must not happen twice.
 *
 * @param name a constant in the code, never a value from outside
 */
record ShadowTable(String name) {

    private static final String COLUMNS = """
            SELECT format('%s %s %s %s', attname, format_type(atttypid, atttypmod), attnotnull, attcollation)
            FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped""";

    private static final String INDEXES = "SELECT shape FROM replay_indexes(to_regclass(?))";

    String next() {
        return name + "_next";
    }

    /** Creates the second table, empty. */
    void create(JdbcClient database) {
        call("replay_create_table", database);
    }

    void drop(JdbcClient database) {
        call("replay_drop_table", database);
    }

    /** Collects statistics of the second table for PostgreSQL's planner. */
    void analyze(JdbcClient database) {
        call("replay_analyze_table", database);
    }

    /** Replaces the first table with the second, which gets the first one's triggers and the names of its indexes. */
    void replace(JdbcClient database) {
        call("replay_switch_table", database);
    }

    /**
     * Calls a procedure that runs with the rights of the tables' owner, because a role that only uses the tables may
     * not create or drop a table.
     */
    private void call(String procedure, JdbcClient database) {
        database.sql("CALL " + procedure + "(?)").param(name).update();
    }

    /**
     * Returns whether the second table still has the same structure as the first. A newer version may have altered the
     * first meanwhile.
     */
    boolean isAlike(JdbcClient database) {
        return columnsOf(name, database).equals(columnsOf(next(), database))
                && indexesOf(name, database).equals(indexesOf(next(), database));
    }

    private static Set<String> columnsOf(String table, JdbcClient database) {
        return shapes(COLUMNS, table, database);
    }

    private static Set<String> indexesOf(String table, JdbcClient database) {
        return shapes(INDEXES, table, database);
    }

    private static Set<String> shapes(String sql, String table, JdbcClient database) {
        return Set.copyOf(database.sql(sql)
                .param(table)
                .query((row, i) -> row.getString(1))
                .list());
    }
}
