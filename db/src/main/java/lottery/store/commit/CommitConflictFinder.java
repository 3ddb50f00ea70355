package lottery.store.commit;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.store.log.EventRow;
import lottery.store.log.EventRow.StreamPosition;

/**
 * Finds out which units of work made PostgreSQL refuse the whole group. It queries which events and claims of the group
 * already exist.
 */
final class CommitConflictFinder {

    private static final String EXISTING_PLACES = """
            SELECT r.ord FROM unnest(?::text[], ?::int[]) WITH ORDINALITY AS r (aggregate_id, sequence, ord)
            JOIN event USING (aggregate_id, sequence)""";

    private static final String EXISTING_CLAIMS = """
            SELECT r.ord FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS r (scope, key, ord)
            JOIN claim USING (scope, key)""";

    private final Connection connection;
    private final SqlArrays columns;

    CommitConflictFinder(Connection connection) throws SQLException {
        this.connection = connection;
        this.columns = SqlArrays.of(connection);
    }

    /** Returns the units that caused the refusal, each with the exception for its caller. */
    Map<CommitUnit, RuntimeException> among(List<CommitUnit> group) throws SQLException {
        Set<Object> existing = existing(group);
        Map<CommitUnit, RuntimeException> guilty = new HashMap<>();
        for (CommitUnit unit : group) {
            charge(unit, existing, guilty);
        }
        return guilty;
    }

    /**
     * Adds the unit with its exception to {@code guilty}, if any event or claim of the unit already exists. If there
     * are several reasons, the first of these decides the exception: an aggregate has changed, an aggregate that the
     * unit creates exists, a claim is taken. A changed aggregate comes first, because the unit has chosen its new
     * aggregates and claims from outdated state. A retry decides anew. An aggregate also counts as changed if it
     * exists, but the unit had looked for it and found nothing.
     */
    static void charge(CommitUnit unit, Set<Object> existing, Map<CommitUnit, RuntimeException> guilty) {
        Set<String> begun = new LinkedHashSet<>();
        for (EventRow row : unit.rows()) {
            if (existing.contains(row.place())) {
                if (row.sequence() == 0 && !unit.foundAbsent(row.aggregateId())) {
                    begun.add(row.aggregateId());
                } else if (!begun.contains(row.aggregateId())) {
                    guilty.putIfAbsent(unit, changed(row.place()));
                }
            }
        }
        if (!begun.isEmpty()) {
            guilty.putIfAbsent(unit, new StreamExistsException(begun));
        }
        unit.taken().stream()
                .filter(claim -> existing.contains(claim.name()))
                .findFirst()
                .ifPresent(claim -> guilty.putIfAbsent(unit, new UniqueKeyTakenException(claim)));
    }

    private static StreamChangedException changed(StreamPosition place) {
        return new StreamChangedException(
                "another unit of work has written event %d of %s".formatted(place.sequence(), place.aggregateId()));
    }

    private Set<Object> existing(List<CommitUnit> group) throws SQLException {
        List<StreamPosition> places = new ArrayList<>();
        List<UniqueKeyClaim> claims = new ArrayList<>();
        for (CommitUnit unit : group) {
            unit.rows().forEach(row -> places.add(row.place()));
            claims.addAll(unit.taken());
        }
        Set<Object> existing = new HashSet<>();
        for (int i : ask(
                EXISTING_PLACES,
                columns.texts(places, StreamPosition::aggregateId),
                columns.ints(places, StreamPosition::sequence))) {
            existing.add(places.get(i));
        }
        for (int i : ask(
                EXISTING_CLAIMS,
                columns.texts(claims, UniqueKeyClaim::scope),
                columns.texts(claims, UniqueKeyClaim::key))) {
            existing.add(claims.get(i).name());
        }
        return existing;
    }

    private List<Integer> ask(String sql, Array first, Array second) throws SQLException {
        List<Integer> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, first);
            statement.setArray(2, second);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getInt(1) - 1);
                }
            }
        }
        return found;
    }
}
