package lottery.store.commit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import lottery.store.log.EventRow;
import lottery.store.log.EventRow.StreamPosition;
import lottery.store.log.LogDivergenceGuard.LogEntry;

/** Finds out why the log did not accept a group: which predecessors of the group's events the log lacks. */
final class RefusedAppendAnalyzer {

    private static final String HEAD_WITHOUT = "SELECT position FROM event_head WHERE NOT log_has(?, ?::uuid)";

    private static final String PLACES = """
            SELECT r.ord FROM unnest(?::text[], ?::int[]) WITH ORDINALITY AS r (aggregate_id, sequence, ord)
            WHERE NOT log_continues(0, NULL, ARRAY[r.aggregate_id], ARRAY[r.sequence])""";

    private final Connection connection;

    RefusedAppendAnalyzer(Connection connection) {
        this.connection = connection;
    }

    /** Returns the events that have to be in the log before these rows, except events that are among these rows. */
    static List<StreamPosition> before(List<EventRow> rows) {
        Map<String, Integer> last = HashMap.newHashMap(rows.size());
        Set<StreamPosition> before = new LinkedHashSet<>();
        for (EventRow row : rows) {
            Integer written = last.put(row.aggregateId(), row.sequence());
            if (row.sequence() > 0 && (written == null || written != row.sequence() - 1)) {
                before.add(new StreamPosition(row.aggregateId(), row.sequence() - 1));
            }
        }
        return List.copyOf(before);
    }

    /** Returns the head's position if the log lacks the event; empty if the log has it. */
    OptionalLong headWithout(LogEntry known) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HEAD_WITHOUT)) {
            statement.setLong(1, known.position());
            statement.setString(2, known.id().toString());
            try (ResultSet head = statement.executeQuery()) {
                return head.next() ? OptionalLong.of(head.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    /**
     * Returns the units with an event whose predecessor is missing in the log, each with the exception for its caller.
     */
    Map<CommitUnit, RuntimeException> withoutPredecessor(List<CommitUnit> group) throws SQLException {
        List<StreamPosition> before =
                before(group.stream().flatMap(unit -> unit.rows().stream()).toList());
        Set<StreamPosition> missing = missing(before);
        Map<CommitUnit, RuntimeException> guilty = new HashMap<>();
        for (CommitUnit unit : group) {
            before(unit.rows()).stream()
                    .filter(missing::contains)
                    .findFirst()
                    .ifPresent(place -> guilty.put(
                            unit,
                            new StreamChangedException(
                                    "event %d of %s is not stored, and what was decided on it may be wrong"
                                            .formatted(place.sequence(), place.aggregateId()))));
        }
        return guilty;
    }

    private Set<StreamPosition> missing(List<StreamPosition> places) throws SQLException {
        SqlArrays columns = SqlArrays.of(connection);
        Set<StreamPosition> missing = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(PLACES)) {
            statement.setArray(1, columns.texts(places, StreamPosition::aggregateId));
            statement.setArray(2, columns.ints(places, StreamPosition::sequence));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    missing.add(places.get(rows.getInt(1) - 1));
                }
            }
        }
        return missing;
    }
}
