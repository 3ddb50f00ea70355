package lottery.store.log;

import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import lottery.store.log.LogDivergenceGuard.LogEntry;

/**
 * The connection over which a {@link Committer} writes. Each call is a transaction of its own. The committer's thread
 * alone uses it.
 */
interface CommitConnection {

    /** Opens connections of one process. */
    interface Source {

        CommitConnection open() throws SQLException;
    }

    /** A server process; its start time tells it from a later one with the same number. */
    record Backend(int pid, Timestamp since) {}

    Backend backend();

    /**
     * Makes sure that an earlier server process cannot commit any more. Its client has lost it, but it may still be
     * running.
     */
    void fence(Backend lost) throws SQLException;

    /**
     * Writes a group in one statement, hence in one transaction.
     *
     * @param known the newest event that this process knows
     * @param announced whether other processes are notified now
     * @return the position before the group's first event; empty if the log lacks what has to be before the group, and
     *     nothing was written
     */
    OptionalLong append(List<CommitUnit> group, LogEntry known, boolean announced) throws SQLException;

    /** Returns the position at which exactly this row is stored, if it is. */
    OptionalLong positionOf(EventRow row) throws SQLException;

    /** Returns the head of a log that lacks an event; empty if the log has the event. */
    OptionalLong headWithout(LogEntry known) throws SQLException;

    /** Returns the units that follow an event that the log does not have, each with the exception for its caller. */
    Map<CommitUnit, RuntimeException> withoutPredecessor(List<CommitUnit> group) throws SQLException;

    /** Returns the units whose events or claims exist already, each with the exception for its caller. */
    Map<CommitUnit, RuntimeException> culpritsAmong(List<CommitUnit> group) throws SQLException;

    /** Returns the units that want a number of a series that is closed, each with the exception for its caller. */
    Map<CommitUnit, RuntimeException> ofClosedSeries(List<CommitUnit> group) throws SQLException;

    /** Notifies other processes of the current head. */
    void announce() throws SQLException;

    /** Returns whether the driver still has its connection to the server. */
    boolean isAlive();

    /** Gives the connection back. Nothing may be running on it any more. */
    void giveBack();

    /** Aborts the connection instead of giving it back, because a statement may still be running on it. */
    void abandon();
}
