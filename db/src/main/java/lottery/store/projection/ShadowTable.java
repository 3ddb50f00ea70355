package lottery.store.projection;

import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A table that can be built a second time beside itself, and then be replaced by the second one. From one commit on,
 * its name leads to the new table. A replay copies no triggers into the second one before: what they do for each row
 * must not be done a second time.
 *
 * @param name as the code has it, and never from outside
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

    /** Counts what is in the second table, for the plans of statements. */
    void analyze(JdbcClient database) {
        call("replay_analyze_table", database);
    }

    /** Replaces the first table with the second, which gets the names of its indexes, and its triggers. */
    void replace(JdbcClient database) {
        call("replay_switch_table", database);
    }

    /** Calls a procedure of the tables' owner: a role that only uses the tables may not create or drop one. */
    private void call(String procedure, JdbcClient database) {
        database.sql("CALL " + procedure + "(?)").param(name).update();
    }

    /** Returns whether the second table is still like the first, which a newer version may have altered meanwhile. */
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
