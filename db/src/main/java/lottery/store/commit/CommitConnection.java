package lottery.store.commit;

import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import lottery.store.log.EventRow;
import lottery.store.log.LogDivergenceGuard.LogEntry;

/**
 * The connection over which a {@link Committer} writes. Each call is a transaction of its own. Only the committer's
 * thread uses the connection.
 */
interface CommitConnection {

    /** Opens connections of one process. */
    interface ConnectionSource {

        CommitConnection open() throws SQLException;
    }

    /** A server process of PostgreSQL. Its start time distinguishes it from a later one with the same process id. */
    record Backend(int pid, Timestamp since) {}

    Backend backend();

    /**
     * Makes sure that the server process of a lost connection cannot commit any more. That server process may still be
     * running.
     */
    void fence(Backend lost) throws SQLException;

    /**
     * Writes a group in one statement, hence in one transaction.
     *
     * @param known the newest event that this process knows
     * @param announced whether this statement also notifies other processes
     * @return the position before the group's first event; empty if nothing was written, because the log lacks an event
     *     that has to precede the group
     */
    OptionalLong append(List<CommitUnit> group, LogEntry known, boolean announced) throws SQLException;

    /** Returns the position at which exactly this row is stored, if it is. */
    OptionalLong positionOf(EventRow row) throws SQLException;

    /** Waits until the synchronous standby has all that is stored now; returns at once if there is none. */
    void awaitStandby() throws SQLException;

    /** Returns the head's position if the log lacks the event; empty if the log has it. */
    OptionalLong headWithout(LogEntry known) throws SQLException;

    /** Returns whether a newer version has excluded the version of this process from writing. */
    boolean isOutdated() throws SQLException;

    /**
     * Returns the units with an event whose predecessor is missing in the log, each with the exception for its caller.
     */
    Map<CommitUnit, RuntimeException> withoutPredecessor(List<CommitUnit> group) throws SQLException;

    /** Returns the units whose events or claims exist already, each with the exception for its caller. */
    Map<CommitUnit, RuntimeException> culpritsAmong(List<CommitUnit> group) throws SQLException;

    /** Returns the units that take a number from a closed series, each with the exception for its caller. */
    Map<CommitUnit, RuntimeException> ofClosedSeries(List<CommitUnit> group) throws SQLException;

    /** Returns the units that take more of a limited thing than is left, each with the exception for its caller. */
    Map<CommitUnit, RuntimeException> exhausted(List<CommitUnit> group) throws SQLException;

    /** Notifies other processes of the current head. */
    void announce() throws SQLException;

    /** Returns whether the driver still has its connection to the server. */
    boolean isAlive();

    /** Gives the connection back. Nothing may be running on it any more. */
    void giveBack();

    /** Aborts the connection instead of giving it back, because a statement may still be running on it. */
    void abandon();
}
