package lottery.bench.invariant;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * I8, for the table that counts the units which others have. It does not say up to where it has counted: so it has to
 * be what the rows of units are at any moment, and at rest what the events are.
 */
final class UnitCounts implements Invariant {

    private static final String KEY = "activity_id || '/' || kind || '/' || number";

    private final Tally tally = new Tally();
    private final UnitFold units = new UnitFold();
    private final Map<String, Long> counted;
    private final Map<String, Long> rows;

    /** Who has a unit by the events, and on which shelf. */
    private final Map<String, String> holders = new HashMap<>();

    private UnitCounts(Map<String, Long> counted, Map<String, Long> rows) {
        this.counted = counted;
        this.rows = rows;
    }

    static UnitCounts read(Connection connection) throws SQLException {
        return new UnitCounts(
                counts(connection, "SELECT " + KEY + ", taken FROM view_stock"),
                counts(connection, "SELECT " + KEY + ", count(*) FROM view_unit GROUP BY 1"));
    }

    private static Map<String, Long> counts(Connection connection, String sql) throws SQLException {
        Map<String, Long> counts = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet shelves = statement.executeQuery(sql)) {
            while (shelves.next()) {
                counts.put(shelves.getString(1), shelves.getLong(2));
            }
        }
        return counts;
    }

    @Override
    public void see(Event event) {
        units.gone(event).forEach(holders::remove);
        units.after(event).forEach(unit -> holders.put(unit.key(), shelf(unit.columns())));
    }

    private static String shelf(Map<String, String> unit) {
        return unit.get("activity_id") + "/" + unit.get("kind") + "/" + unit.get("number");
    }

    /** A shelf of which nothing is taken may have a row or none. */
    @Override
    public Verdict verdict(Moment moment) {
        Map<String, Long> taken = new HashMap<>();
        holders.values().forEach(shelf -> taken.merge(shelf, 1L, Long::sum));
        TreeSet<String> shelves = new TreeSet<>(counted.keySet());
        shelves.addAll(rows.keySet());
        shelves.addAll(taken.keySet());
        for (String shelf : shelves) {
            tally.checked();
            require(shelf, rows.getOrDefault(shelf, 0L), "view_unit has");
            if (moment == Moment.AT_REST) {
                require(shelf, taken.getOrDefault(shelf, 0L), "the events make it");
            }
        }
        return tally.verdict("I8", "view_stock = count(view_unit) = fold(events)");
    }

    private void require(String shelf, long right, String whoSays) {
        long found = counted.getOrDefault(shelf, 0L);
        if (found != right) {
            tally.violated("view_stock has taken %d for %s, %s %d".formatted(found, shelf, whoSays, right));
        }
    }
}
