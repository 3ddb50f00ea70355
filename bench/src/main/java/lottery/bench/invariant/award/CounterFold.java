package lottery.bench.invariant.award;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;

/**
 * Folds how many units of each stock are taken, and compares the result with the table of counters.
 *
 * <p>A unit that can be given back is in memory, with the id of its taker: a record, a recharge or an order. A unit
 * that nobody can give back any more is only part of a sum.
 *
 * <p>No order is known between events of different logs. So the limit is checked after each event for the sum of its
 * log, and at the end for the sum of all logs.
 */
final class CounterFold {

    /** Budgets, which are in the same table, count amounts. See {@link BudgetInvariant}. */
    private static final String ROWS =
            "SELECT name, taken, total FROM counter WHERE name ~ '^(award|sku|participations|payments):'";

    private static final CounterRow NO_ROW = new CounterRow(0, 0);

    /** A row of the table of counters. */
    private record CounterRow(long taken, long total) {}

    /** A counter as the events make it. */
    private static final class FoldedCounter {

        /** How many units are taken, by log. */
        private final Map<Long, Long> taken = new HashMap<>();

        /** The largest limit so far. */
        private long most;

        private long add(long log, long units) {
            return taken.merge(log, units, Long::sum);
        }

        private long taken() {
            return taken.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** A unit that can be given back. */
    private record TakenUnit(FoldedCounter counter, long log) {}

    private final FindingTally tally;
    private final Map<String, CounterRow> rows;
    private final Map<String, FoldedCounter> counters = new TreeMap<>();

    /** The units that can be given back, by taker. */
    private final Map<String, TakenUnit> returnable = new HashMap<>();

    private CounterFold(FindingTally tally, Map<String, CounterRow> rows) {
        this.tally = tally;
        this.rows = rows;
    }

    static CounterFold read(Connection connection, FindingTally tally) throws SQLException {
        Map<String, CounterRow> rows = new HashMap<>();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet found = statement.executeQuery(ROWS)) {
                while (found.next()) {
                    rows.put(found.getString(1), new CounterRow(found.getLong(2), found.getLong(3)));
                }
            }
        }
        return new CounterFold(tally, rows);
    }

    private FoldedCounter counter(String name) {
        return counters.computeIfAbsent(name, unknown -> new FoldedCounter());
    }

    /** Records a limit of a counter. Only the largest limit so far is kept. */
    void limit(String name, long total) {
        FoldedCounter counter = counter(name);
        counter.most = Math.max(counter.most, total);
    }

    void take(String name, String taker, EventTableRow event) {
        FoldedCounter counter = counter(name);
        long taken = counter.add(event.log(), 1);
        if (taken > counter.most) {
            tally.violated("%s takes of %s at event %d, and then %d are taken of %d"
                    .formatted(taker, name, event.position(), taken, counter.most));
        }
        returnable.put(taker, new TakenUnit(counter, event.log()));
    }

    /** Returns whether the taker has a unit that can be given back. */
    boolean has(String taker) {
        return returnable.containsKey(taker);
    }

    /** Gives a unit back. If the taker has none that can be given back, nothing changes. */
    void giveBack(String taker) {
        TakenUnit unit = returnable.remove(taker);
        if (unit != null) {
            unit.counter().add(unit.log(), -1);
        }
    }

    /** Records that the unit of this taker, if it has one, is never given back. */
    void keep(String taker) {
        returnable.remove(taker);
    }

    /** Records that no unit of this counter that is taken now is ever given back. */
    void keepAll(String name) {
        FoldedCounter counter = counter(name);
        returnable.values().removeIf(unit -> unit.counter() == counter);
    }

    void verdict() {
        rows.keySet().forEach(this::counter);
        counters.forEach((name, counter) -> compare(name, counter, rows.getOrDefault(name, NO_ROW)));
    }

    private void compare(String name, FoldedCounter counter, CounterRow row) {
        tally.checked();
        if (row.taken() != counter.taken()) {
            tally.violated(
                    "counter %s has taken %d, the events make it %d".formatted(name, row.taken(), counter.taken()));
        } else if (counter.taken.size() > 1 && counter.taken() > counter.most) {
            tally.violated("all logs have taken %d of %s, of %d".formatted(counter.taken(), name, counter.most));
        } else if (row.taken() > row.total()) {
            tally.violated("counter %s has taken %d of %d".formatted(name, row.taken(), row.total()));
        }
    }
}
