package lottery.store.projection;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A table that can be built a second time beside itself, and then be replaced by the second one. From one commit on,
 * its name leads to the new table.
 *
 * @param name as the code has it, and never from outside
 */
record ShadowTable(String name) {

    private static final String COLUMNS = """
            SELECT format('%s %s %s %s', attname, format_type(atttypid, atttypmod), attnotnull, attcollation)
            FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped""";

    /** The definition of an index without its name and its table's. */
    private static final String INDEXES = """
            SELECT relname AS name, regexp_replace(pg_get_indexdef(indexrelid), '^.*? USING ', '')
                                    || CASE WHEN indisunique THEN ' unique' ELSE '' END AS shape
            FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = to_regclass(?)""";

    /** A replay copies no triggers: what they do for each row must not be done a second time. */
    private static final String TRIGGERS = """
            SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = to_regclass(?) AND NOT tgisinternal""";

    String next() {
        return name + "_next";
    }

    /** Creates the second table, empty. */
    void create(JdbcClient database) {
        drop(database);
        database.sql("CREATE TABLE " + next() + " (LIKE " + name + " INCLUDING ALL)")
                .update();
        String options = database.sql("""
                        SELECT coalesce(array_to_string(reloptions, ', '), '') FROM pg_class
                        WHERE oid = to_regclass(?)""").param(name).query(String.class).single();
        if (!options.isEmpty()) {
            database.sql("ALTER TABLE " + next() + " SET (" + options + ")").update();
        }
    }

    void drop(JdbcClient database) {
        database.sql("DROP TABLE IF EXISTS " + next()).update();
    }

    /** Returns whether the second table is still like the first, which a newer version may have altered meanwhile. */
    boolean isAlike(JdbcClient database) {
        return columnsOf(name, database).equals(columnsOf(next(), database))
                && indexesOf(name, database)
                        .keySet()
                        .equals(indexesOf(next(), database).keySet());
    }

    private static TreeSet<String> columnsOf(String table, JdbcClient database) {
        List<String> columns = database.sql(COLUMNS)
                .param(table)
                .query((row, i) -> row.getString(1))
                .list();
        return new TreeSet<>(columns);
    }

    private static Map<String, String> indexesOf(String table, JdbcClient database) {
        Map<String, String> names = new HashMap<>();
        database.sql(INDEXES)
                .param(table)
                .query((row, i) -> names.put(row.getString("shape"), row.getString("name")))
                .list();
        return names;
    }

    /** Replaces the first table with the second, which gets the names of its indexes, and its triggers. */
    void replace(JdbcClient database) {
        Map<String, String> names = indexesOf(name, database);
        List<String> triggers = database.sql(TRIGGERS)
                .param(name)
                .query((row, i) -> row.getString(1))
                .list();
        database.sql("DROP TABLE " + name).update();
        database.sql("ALTER TABLE " + next() + " RENAME TO " + name).update();
        indexesOf(name, database).forEach((shape, index) -> {
            String known = names.get(shape);
            if (known != null) {
                database.sql("ALTER INDEX " + index + " RENAME TO " + known).update();
            }
        });
        triggers.forEach(trigger -> database.sql(trigger).update());
    }
}
