package lottery.store.commit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.sql.DataSource;
import lottery.store.connection.DurabilityStartCheck;
import lottery.store.connection.SynchronousStandby;
import lottery.store.log.EventRow;
import lottery.store.log.EventRow.StreamPosition;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.LogTail;
import lottery.store.log.LogVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events, claims, series numbers and counters to PostgreSQL. */
final class LogWriter implements CommitConnection {

    private static final Logger log = LoggerFactory.getLogger(LogWriter.class);

    private static final String APPEND = """
            SELECT log_append(?, ?::uuid, ?, ?, ?, ?, ?, ?, ?::uuid[], ?, ?, ?, ?, ?, ?, ?, ?, ?,
                              ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String POSITION =
            "SELECT position FROM event WHERE aggregate_id = ? AND sequence = ? AND event_id = ?::uuid";

    private static final String ANNOUNCE =
            "SELECT pg_notify('" + LogTail.CHANNEL + "', current_schema() || ':' || position) FROM event_head";

    private static final String OUTDATED = "SELECT least_version > ? FROM event_head";

    private static final String SELF = "SELECT pid, backend_start, " + DurabilityStartCheck.OFF
            + " FROM pg_stat_activity WHERE pid = pg_backend_pid()";

    private static final String TERMINATE =
            "SELECT pg_terminate_backend(pid, ?) FROM pg_stat_activity WHERE pid = ? AND backend_start = ?";

    /**
     * The class of SQL states for values that PostgreSQL cannot accept. If the search for an event fails with this
     * class, a value of the event is the cause, so the event cannot be stored.
     */
    private static final String IMPOSSIBLE = "22";

    private static final int TERMINATION_WAIT_MAX_MS = 2_000;

    private final Connection connection;
    private final LogVersion version;
    private final boolean leased;
    private final SqlArrays columns;
    private final Backend backend;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    private LogWriter(Connection connection, LogVersion version, boolean leased, Backend backend) throws SQLException {
        this.connection = connection;
        this.version = version;
        this.leased = leased;
        this.columns = SqlArrays.of(connection);
        this.backend = backend;
    }

    /**
     * Takes a connection from the pool; the committer keeps it.
     *
     * @param leased whether this log takes from blocks of counters that the home log has leased to it
     */
    static LogWriter open(DataSource database, LogVersion version, boolean leased) throws SQLException {
        Connection connection = database.getConnection();
        try {
            connection.setAutoCommit(true);
            try (PreparedStatement self = connection.prepareStatement(SELF);
                    ResultSet row = self.executeQuery()) {
                row.next();
                DurabilityStartCheck.warn(row.getString(3));
                return new LogWriter(connection, version, leased, new Backend(row.getInt(1), row.getTimestamp(2)));
            }
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public void fence(Backend lost) throws SQLException {
        try (PreparedStatement terminate = connection.prepareStatement(TERMINATE)) {
            terminate.setInt(1, TERMINATION_WAIT_MAX_MS);
            terminate.setInt(2, lost.pid());
            terminate.setTimestamp(3, lost.since());
            try (ResultSet row = terminate.executeQuery()) {
                if (row.next() && !row.getBoolean(1)) {
                    throw new SQLException("server process %d is lost and does not end".formatted(lost.pid()));
                }
            }
        }
    }

    @Override
    public OptionalLong append(List<CommitUnit> group, LogEntry known, boolean announced) throws SQLException {
        List<EventRow> rows =
                group.stream().flatMap(unit -> unit.rows().stream()).toList();
        PreparedStatement append = prepared(APPEND);
        int next = bindKnown(append, known, RefusedAppendAnalyzer.before(rows));
        next = bindRows(append, next, rows);
        next = bindClaims(append, next, group);
        next = SeriesNumberAssigner.in(group).bind(append, next, columns);
        next = GroupCounterChanges.in(group, leased).bind(append, next, columns);
        append.setBoolean(next, announced);
        try (ResultSet base = append.executeQuery()) {
            base.next();
            long position = base.getLong(1);
            return base.wasNull() ? OptionalLong.empty() : OptionalLong.of(position);
        }
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    private int bindKnown(PreparedStatement append, LogEntry known, List<StreamPosition> before) throws SQLException {
        append.setLong(1, known.position());
        append.setString(2, known.id().toString());
        append.setArray(3, columns.texts(before, StreamPosition::aggregateId));
        append.setArray(4, columns.ints(before, StreamPosition::sequence));
        append.setInt(5, version.own());
        return 6;
    }

    private int bindRows(PreparedStatement append, int first, List<EventRow> rows) throws SQLException {
        append.setArray(first, columns.texts(rows, EventRow::aggregateId));
        append.setArray(first + 1, columns.ints(rows, EventRow::sequence));
        append.setArray(first + 2, columns.texts(rows, EventRow::aggregateType));
        append.setArray(first + 3, columns.texts(rows, row -> row.id().toString()));
        append.setArray(first + 4, columns.micros(rows, EventRow::at));
        append.setArray(first + 5, columns.texts(rows, EventRow::type));
        append.setArray(first + 6, columns.texts(rows, EventRow::revision));
        append.setArray(first + 7, columns.bytes(rows, EventRow::payload));
        append.setArray(first + 8, columns.bytes(rows, EventRow::metadata));
        return first + 9;
    }

    private int bindClaims(PreparedStatement append, int first, List<CommitUnit> group) throws SQLException {
        List<UniqueKeyClaim> taken = new ArrayList<>();
        List<Integer> takenWith = new ArrayList<>();
        int row = 1;
        for (CommitUnit unit : group) {
            for (UniqueKeyClaim claim : unit.taken()) {
                taken.add(claim);
                takenWith.add(row);
            }
            row += unit.rows().size();
        }
        append.setArray(first, columns.texts(taken, UniqueKeyClaim::scope));
        append.setArray(first + 1, columns.texts(taken, UniqueKeyClaim::key));
        append.setArray(first + 2, columns.texts(taken, UniqueKeyClaim::holder));
        append.setArray(first + 3, columns.ints(takenWith, Integer::intValue));
        return first + 4;
    }

    @Override
    public OptionalLong headWithout(LogEntry known) throws SQLException {
        return new RefusedAppendAnalyzer(connection).headWithout(known);
    }

    @Override
    public boolean isOutdated() throws SQLException {
        PreparedStatement outdated = prepared(OUTDATED);
        outdated.setInt(1, version.own());
        try (ResultSet row = outdated.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public Map<CommitUnit, RuntimeException> withoutPredecessor(List<CommitUnit> group) throws SQLException {
        return new RefusedAppendAnalyzer(connection).withoutPredecessor(group);
    }

    @Override
    public Map<CommitUnit, RuntimeException> culpritsAmong(List<CommitUnit> group) throws SQLException {
        return new CommitConflictFinder(connection).among(group);
    }

    @Override
    public Map<CommitUnit, RuntimeException> ofClosedSeries(List<CommitUnit> group) throws SQLException {
        return SeriesNumberAssigner.ofClosedSeries(connection, group);
    }

    @Override
    public Map<CommitUnit, RuntimeException> exhausted(List<CommitUnit> group) throws SQLException {
        Map<CommitUnit, RuntimeException> guilty = GroupCounterChanges.exhausted(connection, group, leased);
        guilty.putAll(SeriesNumberAssigner.exhausted(connection, group));
        return guilty;
    }

    @Override
    public OptionalLong positionOf(EventRow row) throws SQLException {
        try (PreparedStatement position = connection.prepareStatement(POSITION)) {
            position.setString(1, row.aggregateId());
            position.setInt(2, row.sequence());
            position.setString(3, row.id().toString());
            try (ResultSet found = position.executeQuery()) {
                return found.next() ? OptionalLong.of(found.getLong(1)) : OptionalLong.empty();
            }
        } catch (SQLException e) {
            if (String.valueOf(e.getSQLState()).startsWith(IMPOSSIBLE)) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    @Override
    public void awaitStandby() throws SQLException {
        prepared(SynchronousStandby.AWAIT).executeQuery().close();
    }

    @Override
    public boolean isAlive() {
        try {
            // The pool's own wrapper does not notice every way in which a connection ends.
            return !connection.unwrap(Connection.class).isClosed();
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void announce() throws SQLException {
        prepared(ANNOUNCE).executeQuery().close();
    }

    /** Returns the connection to the pool. */
    @Override
    public void giveBack() {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("A connection could not be closed, because it was already broken.", e);
        }
    }

    @Override
    public void abandon() {
        try (Connection gone = connection) {
            gone.abort(Runnable::run);
        } catch (SQLException e) {
            log.debug("A connection could not be closed, because it was already broken.", e);
        }
    }
}
