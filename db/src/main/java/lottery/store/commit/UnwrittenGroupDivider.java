package lottery.store.commit;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.store.commit.FencedConnection.Question;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.StoreBusyException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Divides a group of which nothing was written. The units that are the cause fail. The others are returned, as groups
 * that are to be written again.
 */
final class UnwrittenGroupDivider {

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String NOT_NULL_VIOLATION = "23502";
    private static final String CHECK_VIOLATION = "23514";
    private static final String POSITIONS = "event_position";
    private static final String COUNTER_LIMIT = "counter_limit";
    private static final String SERIES_LIMIT = "series_limit";

    /**
     * Classes of SQL states for faulty data: values that PostgreSQL cannot store, broken constraints, and index entries
     * that are too long.
     */
    private static final Set<String> OF_THE_DATA = Set.of("22", "23", "54");

    private final FencedConnection connection;
    private final LogDivergenceGuard divergenceGuard;
    private final CommitterLimits limits;
    private final CommitRefusalLog refusals;

    UnwrittenGroupDivider(
            FencedConnection connection,
            LogDivergenceGuard divergenceGuard,
            CommitterLimits limits,
            CommitRefusalLog refusals) {
        this.connection = connection;
        this.divergenceGuard = divergenceGuard;
        this.limits = limits;
        this.refusals = refusals;
    }

    /**
     * Divides a group that the log did not accept, because it lacks an event that has to precede the group. Units whose
     * predecessor is missing fail. If the log lacks the newest event that this process knows, the log has gone back,
     * and this process ends. It also ends if its version is too low.
     */
    List<List<CommitUnit>> withoutPredecessor(List<CommitUnit> group) {
        Map<CommitUnit, RuntimeException> guilty = failuresIn(group, open -> withoutPredecessor(open, group));
        if (!guilty.isEmpty()) {
            return rest(group, guilty);
        }
        // No predecessor is missing. Either it was written meanwhile, or the table event_head is empty.
        StoreBusyException lacking = new StoreBusyException(
                "an event that must precede these events was missing, or the table event_head is empty");
        group.forEach(unit -> unit.fail(lacking));
        return List.of();
    }

    private Map<CommitUnit, RuntimeException> withoutPredecessor(CommitConnection open, List<CommitUnit> group)
            throws SQLException {
        LogEntry known = divergenceGuard.newest();
        OptionalLong head = open.headWithout(known);
        if (head.isEmpty()) {
            if (open.isOutdated()) {
                divergenceGuard.endOutdatedProcess();
                return allFor(new StoreBusyException("a newer version has started"), group);
            }
            return open.withoutPredecessor(group);
        }
        divergenceGuard.endProcess(known, head.getAsLong());
        return allFor(new StoreBusyException("the log has gone back"), group);
    }

    /**
     * Divides a group that PostgreSQL has refused. If the data of some units are the cause, only these units fail. If
     * there is another cause, all units fail.
     */
    List<List<CommitUnit>> refused(List<CommitUnit> group, SQLException refused) {
        String state = String.valueOf(refused.getSQLState());
        if (!OF_THE_DATA.contains(state.substring(0, 2))) {
            refusals.refused(group.size(), refused);
            group.forEach(unit -> unit.fail(new StoreBusyException("PostgreSQL refused to store events", refused)));
            return List.of();
        }
        Map<CommitUnit, RuntimeException> culprits = switch (state) {
            case UNIQUE_VIOLATION -> failuresIn(group, open -> open.culpritsAmong(group));
            case NOT_NULL_VIOLATION -> failuresIn(group, open -> open.ofClosedSeries(group));
            case CHECK_VIOLATION -> failuresIn(group, open -> beyondLimits(open, group));
            default -> Map.of();
        };
        if (!culprits.isEmpty()) {
            return rest(group, culprits);
        }
        if (group.size() > 1) {
            int half = group.size() / 2;
            return List.of(group.subList(0, half), group.subList(half, group.size()));
        }
        CommitUnit alone = group.getFirst();
        alone.fail(failureOf(alone, state, refused));
        return List.of();
    }

    /**
     * Returns the units that broke the limit of a counter. A unit with outdated state may give something back a second
     * time. PostgreSQL may then name the counter and not the event that exists, so existing events are looked for
     * first.
     */
    private static Map<CommitUnit, RuntimeException> beyondLimits(CommitConnection open, List<CommitUnit> group)
            throws SQLException {
        Map<CommitUnit, RuntimeException> conflicts = open.culpritsAmong(group);
        return conflicts.isEmpty() ? open.exhausted(group) : conflicts;
    }

    private static RuntimeException failureOf(CommitUnit alone, String state, SQLException refused) {
        if (POSITIONS.equals(constraintOf(refused))) {
            return new UnstorableEventException(
                    "the table event_head is behind the table event, and must be repaired", refused);
        }
        if (COUNTER_LIMIT.equals(constraintOf(refused))) {
            return alone.takesFromCounter()
                    ? new StreamChangedException(
                            "what this unit of work could not take was given back meanwhile", refused)
                    : new UnstorableEventException(
                            "a counter is below what is given back, and must be repaired", refused);
        }
        if (SERIES_LIMIT.equals(constraintOf(refused))) {
            return new StreamChangedException("numbers were added meanwhile to the series that had none left", refused);
        }
        if (!state.equals(UNIQUE_VIOLATION)) {
            return new UnstorableEventException("PostgreSQL cannot store this event", refused);
        }
        if (alone.writesAPlaceTwice()) {
            return new IllegalStateException(
                    "a unit of work has two events of one aggregate with the same sequence number", refused);
        }
        return new StreamChangedException(
                "the event or claim that conflicted with this unit of work does not exist any more", refused);
    }

    private static @Nullable String constraintOf(SQLException refused) {
        ServerErrorMessage message = refused instanceof PSQLException server ? server.getServerErrorMessage() : null;
        return message == null ? null : message.getConstraint();
    }

    /** Fails the guilty units, and returns the others as one group, if there are any. */
    private static List<List<CommitUnit>> rest(List<CommitUnit> group, Map<CommitUnit, RuntimeException> guilty) {
        guilty.forEach(CommitUnit::fail);
        List<CommitUnit> rest = new ArrayList<>(group);
        rest.removeAll(guilty.keySet());
        return rest.isEmpty() ? List.of() : List.of(rest);
    }

    /**
     * Asks which units of a group have to fail. Nothing of the group is stored, so after a broken connection the
     * question is just asked again.
     */
    private Map<CommitUnit, RuntimeException> failuresIn(
            List<CommitUnit> group, Question<Map<CommitUnit, RuntimeException>> question) {
        try {
            return connection.ask("while the committer asked why nothing was stored", limits.queueWaitMax(), question);
        } catch (SQLException e) {
            return allFor(new StoreBusyException("PostgreSQL is unavailable", e), group);
        }
    }

    private static Map<CommitUnit, RuntimeException> allFor(RuntimeException why, List<CommitUnit> group) {
        return group.stream().collect(Collectors.toMap(unit -> unit, _ -> why));
    }
}
