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
import lottery.store.commit.EventRow.StreamPosition;
import lottery.store.connection.DurabilityStartCheck;
import lottery.store.connection.SynchronousStandby;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.LogTail;
import lottery.store.log.LogVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events, claims, series numbers and counters to PostgreSQL. */
final class LogWriter implements CommitConnection {

    private static final Logger log = LoggerFactory.getLogger(LogWriter.class);

    /**
     * Writes the events of a group, and locks the head's row until the commit. Positions therefore follow the order of
     * commits across all processes, and a rollback frees the positions. Nothing is written if the log lacks the newest
     * event that this process knows, or a predecessor of an event of the group, or if this process is of a version that
     * may not write any more.
     */
    private static final String EVENTS = """
            WITH head AS (
                UPDATE event_head SET position = position + ?
                WHERE log_continues(?, ?::uuid, ?::text[], ?::int[]) AND least_version <= ?
                RETURNING position - ? AS base, position
            ), stored AS (
                INSERT INTO event (position, aggregate_id, sequence, aggregate_type, event_id, at, type, revision,
                                   payload, metadata)
                SELECT base + ord, aggregate_id, sequence, aggregate_type, event_id::uuid,
                       timestamptz 'epoch' + micros * interval '1 microsecond', type, revision, payload, metadata
                FROM head, unnest(?::text[], ?::int[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[],
                                  ?::bytea[], ?::bytea[])
                           WITH ORDINALITY AS r (aggregate_id, sequence, aggregate_type, event_id, micros, type,
                                                 revision, payload, metadata, ord)
            )""";

    private static final String CLAIMS = """
            , taken AS (
                INSERT INTO claim (scope, key, holder, position)
                SELECT scope, key, holder, base + ord
                FROM head, unnest(?::text[], ?::text[], ?::text[], ?::int[]) AS t (scope, key, holder, ord)
            )""";

    /**
     * Gives the next numbers of each series. A closed series gives no number, and the statement then fails because the
     * number is missing. A constraint fails it if a series would exceed its limit. The rows of series are locked after
     * the head, so that two processes cannot deadlock.
     */
    private static final String NUMBERS = """
            , counted AS (
                INSERT INTO series AS known (name, newest, closed)
                SELECT name, count, closing
                FROM head, unnest(?::text[], ?::int[], ?::bool[]) AS r (name, count, closing)
                ON CONFLICT (name) DO UPDATE SET newest = known.newest + excluded.newest, closed = excluded.closed
                WHERE NOT known.closed
                RETURNING name, newest
            ), numbered AS (
                INSERT INTO series_number (series, number, holder, position)
                SELECT t.series, newest - count + place, holder, base + ord
                FROM head, unnest(?::text[], ?::int[], ?::int[], ?::text[], ?::int[])
                               AS t (series, count, place, holder, ord)
                           LEFT JOIN counted ON counted.name = t.series
            )""";

    /**
     * Adds what is taken and subtracts what is given back. The table's constraint fails the statement if more would be
     * taken than the limit. The rows of counters are locked after the head, too. No counter is in both lists.
     */
    private static final String COUNTERS = """
            , returned AS (
                UPDATE counter SET taken = counter.taken + amount, total = least(counter.total, r.total)
                FROM head, unnest(?::text[], ?::bigint[], ?::bigint[]) AS r (name, amount, total)
                WHERE counter.name = r.name
            ), spent AS (
                INSERT INTO counter AS known (name, taken, total)
                SELECT name, amount, total FROM head, unnest(?::text[], ?::bigint[], ?::bigint[]) AS t (name, amount, total)
                ON CONFLICT (name) DO UPDATE SET taken = known.taken + excluded.taken, total = excluded.total
            )""";

    private static final String BASE = " SELECT base FROM head";
    private static final String BASE_ANNOUNCED =
            " SELECT base, pg_notify('" + LogTail.CHANNEL + "', position::text) FROM head";

    private static final String POSITION =
            "SELECT position FROM event WHERE aggregate_id = ? AND sequence = ? AND event_id = ?::uuid";

    private static final String ANNOUNCE =
            "SELECT pg_notify('" + LogTail.CHANNEL + "', position::text) FROM event_head";

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

    private static final int FIRST_AFTER_EVENTS = 17;

    private static final int TERMINATION_WAIT_MAX_MS = 2_000;

    private final Connection connection;
    private final LogVersion version;
    private final SqlArrays columns;
    private final Backend backend;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    private LogWriter(Connection connection, LogVersion version, Backend backend) throws SQLException {
        this.connection = connection;
        this.version = version;
        this.columns = SqlArrays.of(connection);
        this.backend = backend;
    }

    /** Takes a connection from the pool; the committer keeps it. */
    static LogWriter open(DataSource database, LogVersion version) throws SQLException {
        Connection connection = database.getConnection();
        try {
            connection.setAutoCommit(true);
            try (PreparedStatement self = connection.prepareStatement(SELF);
                    ResultSet row = self.executeQuery()) {
                row.next();
                DurabilityStartCheck.warn(row.getString(3));
                return new LogWriter(connection, version, new Backend(row.getInt(1), row.getTimestamp(2)));
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
        List<EventRow> rows = new ArrayList<>();
        boolean claims = false;
        for (CommitUnit unit : group) {
            rows.addAll(unit.rows());
            claims |= !unit.taken().isEmpty();
        }
        SeriesNumberAssigner numbers = SeriesNumberAssigner.in(group);
        GroupCounterChanges counters = GroupCounterChanges.in(group);
        PreparedStatement append = prepared(EVENTS
                + (claims ? CLAIMS : "")
                + (numbers.isEmpty() ? "" : NUMBERS)
                + (counters.isEmpty() ? "" : COUNTERS)
                + (announced ? BASE_ANNOUNCED : BASE));
        bindKnown(append, known, RefusedAppendAnalyzer.before(rows));
        bindRows(append, rows);
        int next = FIRST_AFTER_EVENTS;
        if (claims) {
            next = bindClaims(append, next, group);
        }
        if (!numbers.isEmpty()) {
            next = numbers.bind(append, next, columns);
        }
        if (!counters.isEmpty()) {
            counters.bind(append, next, columns);
        }
        try (ResultSet head = append.executeQuery()) {
            return head.next() ? OptionalLong.of(head.getLong(1)) : OptionalLong.empty();
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

    private void bindKnown(PreparedStatement append, LogEntry known, List<StreamPosition> before) throws SQLException {
        append.setLong(2, known.position());
        append.setString(3, known.id().toString());
        append.setArray(4, columns.texts(before, StreamPosition::aggregateId));
        append.setArray(5, columns.ints(before, StreamPosition::sequence));
        append.setInt(6, version.own());
    }

    private void bindRows(PreparedStatement append, List<EventRow> rows) throws SQLException {
        append.setLong(1, rows.size());
        append.setLong(7, rows.size());
        append.setArray(8, columns.texts(rows, EventRow::aggregateId));
        append.setArray(9, columns.ints(rows, EventRow::sequence));
        append.setArray(10, columns.texts(rows, EventRow::aggregateType));
        append.setArray(11, columns.texts(rows, EventRow::id));
        append.setArray(12, columns.micros(rows, EventRow::at));
        append.setArray(13, columns.texts(rows, row -> row.payload().getType().getName()));
        append.setArray(14, columns.texts(rows, row -> row.payload().getType().getRevision()));
        append.setArray(15, columns.bytes(rows, row -> row.payload().getData()));
        append.setArray(16, columns.bytes(rows, row -> row.metadata().getData()));
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
        Map<CommitUnit, RuntimeException> guilty =
                GroupCounterChanges.exhausted(group, GroupCounterChanges.taken(connection, group));
        guilty.putAll(SeriesNumberAssigner.exhausted(connection, group));
        return guilty;
    }

    @Override
    public OptionalLong positionOf(EventRow row) throws SQLException {
        try (PreparedStatement position = connection.prepareStatement(POSITION)) {
            position.setString(1, row.aggregateId());
            position.setInt(2, row.sequence());
            position.setString(3, row.id());
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
