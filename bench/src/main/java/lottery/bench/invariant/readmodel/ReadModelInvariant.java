package lottery.bench.invariant.readmodel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.readmodel.ReadModelFold.FoldedRow;

/**
 * I8: a read model is the fold of the events. Each row names the last event that it has seen, and has to equal the fold
 * up to that event. Therefore a row that lags behind the log is checked, too. At rest no row may lag behind, be
 * missing, or remain although an event removes it.
 */
public final class ReadModelInvariant implements Invariant {

    private final FindingTally tally = new FindingTally();
    private final ReadModelFold fold;

    /** The rows of the table that are not compared with the fold yet. */
    private final Map<String, FoldedRow> stored;

    private final Map<String, Long> comparedAt = new HashMap<>();
    private final Map<String, Long> newest = new LinkedHashMap<>();

    private ReadModelInvariant(ReadModelFold fold, Map<String, FoldedRow> stored) {
        this.fold = fold;
        this.stored = stored;
    }

    public static ReadModelInvariant read(Connection connection, ReadModelFold fold) throws SQLException {
        Map<String, FoldedRow> stored = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery(fold.sql())) {
                ResultSetMetaData columns = rows.getMetaData();
                while (rows.next()) {
                    if (fold.has(rows.getString(1))) {
                        FoldedRow row = row(rows, columns);
                        stored.put(row.key(), row);
                    }
                }
            }
        }
        return new ReadModelInvariant(fold, stored);
    }

    private static FoldedRow row(ResultSet rows, ResultSetMetaData columns) throws SQLException {
        Map<String, String> values = new HashMap<>();
        for (int i = 3; i <= columns.getColumnCount(); i++) {
            values.put(columns.getColumnLabel(i), Objects.requireNonNullElse(rows.getString(i), ReadModelFold.NOTHING));
        }
        return new FoldedRow(rows.getString(1), rows.getLong(2), values);
    }

    @Override
    public void accept(EventTableRow event) {
        newest.keySet().removeAll(fold.gone(event));
        for (FoldedRow expected : fold.after(event)) {
            newest.put(expected.key(), expected.version());
            FoldedRow row = stored.get(expected.key());
            if (row != null && row.version() == expected.version()) {
                compare(row, expected);
                stored.remove(row.key());
                comparedAt.put(row.key(), row.version());
            }
        }
    }

    private void compare(FoldedRow row, FoldedRow expected) {
        tally.checked();
        expected.columns().forEach((column, value) -> {
            String found = row.columns().getOrDefault(column, ReadModelFold.NOTHING);
            if (!found.equals(value)) {
                tally.violated("%s has %s %s for %s, the events make it %s"
                        .formatted(fold.table(), column, found, row.key(), value));
            }
        });
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        stored.values().forEach(this::unexplained);
        long late = 0;
        for (Map.Entry<String, Long> each : newest.entrySet()) {
            String key = each.getKey();
            Long seen = comparedAt.get(key);
            if (stored.containsKey(key) || each.getValue().equals(seen)) {
                continue;
            }
            late++;
            if (moment == CheckMoment.AT_REST) {
                tally.violated(
                        seen == null
                                ? "%s has no row for %s".formatted(fold.table(), key)
                                : "%s has seen events up to %d of %s, which goes on to %d"
                                        .formatted(fold.table(), seen, key, each.getValue()));
            }
        }
        late += leftOver(moment);
        if (moment == CheckMoment.IN_FLIGHT) {
            tally.noted("rows behind", late);
        }
        return tally.verdict("I8", fold.table() + " = fold(events)");
    }

    /**
     * Returns how many rows are still in the table although a later event removes them. At rest, each such row is a
     * violation.
     */
    private long leftOver(CheckMoment moment) {
        List<String> leftOver = comparedAt.keySet().stream()
                .filter(key -> !newest.containsKey(key))
                .sorted()
                .toList();
        if (moment == CheckMoment.AT_REST) {
            leftOver.forEach(key -> tally.violated(
                    "%s still has a row for %s, which the events have taken away".formatted(fold.table(), key)));
        }
        return leftOver.size();
    }

    private void unexplained(FoldedRow row) {
        tally.checked();
        tally.violated("%s has a row for %s up to event %d of it, which does not exist"
                .formatted(fold.table(), row.key(), row.version()));
    }
}
