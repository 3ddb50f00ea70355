package lottery.store.commit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.store.commit.CommitUnit.SeriesNumberRequest;

/** The numbers that a group of units of work takes, in the order of the units, and the series that it closes. */
final class SeriesNumberAssigner {

    private static final String CLOSED = "SELECT name FROM series WHERE name = ANY (?::text[]) AND closed";

    private static final String LIMITED =
            "SELECT name, newest, last FROM series WHERE name = ANY (?::text[]) AND last IS NOT NULL";

    private record Series(String name, int count, boolean closing) {}

    /**
     * A number that a unit of the group takes.
     *
     * @param count how many numbers of this series the group takes
     * @param place the place of this number among these numbers, from 1 on
     * @param row the row of the event with which the number is written, from 1 on
     */
    private record TakenNumber(String series, int count, int place, String holder, int row) {}

    private final List<Series> series = new ArrayList<>();
    private final List<TakenNumber> taken = new ArrayList<>();

    private SeriesNumberAssigner() {}

    static SeriesNumberAssigner in(List<CommitUnit> group) {
        SeriesNumberAssigner numbers = new SeriesNumberAssigner();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (CommitUnit unit : group) {
            unit.numbered().forEach(wanted -> counts.merge(wanted.series(), 1, Integer::sum));
            unit.closed().forEach(closed -> numbers.series.add(new Series(closed, 0, true)));
        }
        counts.forEach((name, count) -> numbers.series.add(new Series(name, count, false)));
        Map<String, Integer> places = new HashMap<>();
        int row = 1;
        for (CommitUnit unit : group) {
            for (SeriesNumberRequest wanted : unit.numbered()) {
                numbers.taken.add(new TakenNumber(
                        wanted.series(),
                        counts.getOrDefault(wanted.series(), 0),
                        places.merge(wanted.series(), 1, Integer::sum),
                        wanted.holder(),
                        row));
            }
            row += unit.rows().size();
        }
        return numbers;
    }

    /** Binds the numbers, and returns the place of the next parameter. */
    int bind(PreparedStatement append, int first, SqlArrays columns) throws SQLException {
        append.setArray(first, columns.texts(series, Series::name));
        append.setArray(first + 1, columns.ints(series, Series::count));
        append.setArray(first + 2, columns.flags(series, Series::closing));
        append.setArray(first + 3, columns.texts(taken, TakenNumber::series));
        append.setArray(first + 4, columns.ints(taken, TakenNumber::count));
        append.setArray(first + 5, columns.ints(taken, TakenNumber::place));
        append.setArray(first + 6, columns.texts(taken, TakenNumber::holder));
        append.setArray(first + 7, columns.ints(taken, TakenNumber::row));
        return first + 8;
    }

    /** Returns the units that take a number from a closed series, each with the exception for its caller. */
    static Map<CommitUnit, RuntimeException> ofClosedSeries(Connection connection, List<CommitUnit> group)
            throws SQLException {
        Set<String> closed = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(CLOSED)) {
            statement.setArray(1, SqlArrays.of(connection).texts(wanted(group), name -> name));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    closed.add(rows.getString(1));
                }
            }
        }
        Map<CommitUnit, RuntimeException> guilty = new HashMap<>();
        for (CommitUnit unit : group) {
            unit.numbered().stream()
                    .map(SeriesNumberRequest::series)
                    .filter(closed::contains)
                    .findFirst()
                    .ifPresent(series -> guilty.put(unit, new SeriesClosedException(series)));
        }
        return guilty;
    }

    /**
     * Returns the units for which no number is left, each with the exception for its caller. The numbers that are left
     * go to the first units of the group.
     */
    static Map<CommitUnit, RuntimeException> exhausted(Connection connection, List<CommitUnit> group)
            throws SQLException {
        Map<String, SeriesExtent> limited = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(LIMITED)) {
            statement.setArray(1, SqlArrays.of(connection).texts(wanted(group), name -> name));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    limited.put(rows.getString(1), new SeriesExtent(rows.getInt(2), rows.getInt(3)));
                }
            }
        }
        Map<String, Integer> taken = new HashMap<>();
        Map<CommitUnit, RuntimeException> guilty = new HashMap<>();
        for (CommitUnit unit : group) {
            Map<String, Integer> wanted = new HashMap<>();
            unit.numbered().forEach(number -> wanted.merge(number.series(), 1, Integer::sum));
            wanted.forEach((series, count) -> {
                SeriesExtent extent = limited.get(series);
                if (extent != null && taken.getOrDefault(series, 0) + count > extent.left()) {
                    guilty.put(unit, new CounterExhaustedException(series, count, extent.newest(), extent.last()));
                }
            });
            if (!guilty.containsKey(unit)) {
                wanted.forEach((series, count) -> taken.merge(series, count, Integer::sum));
            }
        }
        return guilty;
    }

    private static List<String> wanted(List<CommitUnit> group) {
        return group.stream()
                .flatMap(unit -> unit.numbered().stream())
                .map(SeriesNumberRequest::series)
                .distinct()
                .toList();
    }
}
