package lottery.store.commit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import lottery.store.commit.CommitUnit.CounterChange;

/** The changes that a group of units of work makes to counters, summed up: one change for each counter. */
final class GroupCounterChanges {

    private static final String TAKEN = "SELECT name, taken, total FROM counter WHERE name = ANY (?::text[])";

    /** The changes that take something, or only require that enough is left. */
    private final List<CounterChange> takes = new ArrayList<>();

    /**
     * The changes of counters that exist: those that give back more than they take, and in another log than the home
     * log all. They have a limit if they take something, too.
     */
    private final List<CounterChange> others = new ArrayList<>();

    private GroupCounterChanges() {}

    /** @param leased whether the limits are those of the blocks that were leased to the log */
    static GroupCounterChanges in(List<CommitUnit> group, boolean leased) {
        GroupCounterChanges changes = new GroupCounterChanges();
        for (CounterChange sum : sums(group)) {
            if (leased) {
                changes.others.add(sum.unlimited());
            } else {
                (sum.amount() >= 0 && sum.isLimited() ? changes.takes : changes.others).add(sum);
            }
        }
        return changes;
    }

    private static Collection<CounterChange> sums(List<CommitUnit> group) {
        Map<String, CounterChange> sums = new LinkedHashMap<>();
        for (CommitUnit unit : group) {
            unit.counted().forEach(change -> sums.merge(change.counter(), change, CounterChange::then));
        }
        return sums.values();
    }

    /** Binds the changes, and others the place of the next parameter. */
    int bind(PreparedStatement append, int first, SqlArrays columns) throws SQLException {
        append.setArray(first, columns.texts(others, CounterChange::counter));
        append.setArray(first + 1, columns.longs(others, CounterChange::amount));
        append.setArray(first + 2, columns.longs(others, CounterChange::total));
        append.setArray(first + 3, columns.texts(takes, CounterChange::counter));
        append.setArray(first + 4, columns.longs(takes, CounterChange::amount));
        append.setArray(first + 5, columns.longs(takes, CounterChange::total));
        return first + 6;
    }

    /**
     * Returns the units for which too little is left, each with the exception for its caller. The first units of the
     * group get what is left, and what the group gives back. The exceptions say how much was taken before the group,
     * because units of the group may still fail.
     *
     * @param limit returns the limit that holds for a change
     */
    static Map<CommitUnit, RuntimeException> exhausted(
            List<CommitUnit> group, Map<String, Long> takenBefore, ToLongFunction<CounterChange> limit) {
        Map<String, Long> taken = new HashMap<>(takenBefore);
        group.forEach(unit -> sums(List.of(unit)).stream()
                .filter(change -> !change.isLimited())
                .forEach(change -> add(change, taken)));
        Map<CommitUnit, RuntimeException> guilty = new HashMap<>();
        for (CommitUnit unit : group) {
            List<CounterChange> changes = sums(List.of(unit)).stream()
                    .filter(CounterChange::isLimited)
                    .toList();
            Optional<CounterChange> excess = changes.stream()
                    .filter(change ->
                            taken.getOrDefault(change.counter(), 0L) + change.amount() > limit.applyAsLong(change))
                    .findFirst();
            excess.ifPresentOrElse(
                    change -> guilty.put(
                            unit,
                            new CounterExhaustedException(
                                    change.counter(),
                                    change.amount(),
                                    takenBefore.getOrDefault(change.counter(), 0L),
                                    limit.applyAsLong(change))),
                    () -> changes.forEach(change -> add(change, taken)));
        }
        return guilty;
    }

    private static void add(CounterChange change, Map<String, Long> taken) {
        taken.merge(change.counter(), change.amount(), Long::sum);
    }

    /**
     * Returns the units for which too little is left in the log.
     *
     * @param leased whether the limits are those of the blocks that were leased to the log
     */
    static Map<CommitUnit, RuntimeException> exhausted(Connection connection, List<CommitUnit> group, boolean leased)
            throws SQLException {
        List<String> names = group.stream()
                .flatMap(unit -> unit.counted().stream())
                .map(CounterChange::counter)
                .distinct()
                .toList();
        Map<String, Long> taken = new HashMap<>();
        Map<String, Long> totals = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(TAKEN)) {
            statement.setArray(1, SqlArrays.of(connection).texts(names, name -> name));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    taken.put(rows.getString(1), rows.getLong(2));
                    totals.put(rows.getString(1), rows.getLong(3));
                }
            }
        }
        return exhausted(group, taken, change -> leased ? totals.getOrDefault(change.counter(), 0L) : change.total());
    }
}
