package lottery.store.log;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import lottery.store.connection.SynchronousStandby;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Reads events from the database. */
public final class LogReader {

    /**
     * How far the times of events may be out of order. Processes have different clocks, and an event waits in a queue
     * before it gets its position.
     */
    private static final Duration DISORDER_MAX = Duration.ofSeconds(30);

    private static final String COLUMNS =
            "position, aggregate_id, sequence, aggregate_type, event_id, at, type, revision, payload, metadata";

    private static final String AFTER =
            "SELECT " + COLUMNS + " FROM event WHERE position > ? AND position <= ? ORDER BY position LIMIT ?";

    private static final String NEWEST =
            "SELECT position, event_id FROM event" + " WHERE position = (SELECT position FROM event_head)";

    private static final String HEAD_WITHOUT = "SELECT position FROM event_head WHERE NOT log_has(?, ?)";

    private static final String BETWEEN = "SELECT " + COLUMNS
            + " FROM event WHERE position > ? AND position <= ? AND type <> ALL (?) ORDER BY position";

    private static final String OF_AGGREGATE =
            "SELECT " + COLUMNS + " FROM event WHERE aggregate_id = ? AND sequence >= ? ORDER BY sequence LIMIT ?";

    private static final String NEWEST_OF_AGGREGATE =
            "SELECT " + COLUMNS + " FROM event WHERE aggregate_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?";

    private static final String OF_AGGREGATES =
            "SELECT " + COLUMNS + " FROM event WHERE aggregate_id = ANY (?) ORDER BY aggregate_id, sequence";

    /**
     * Selects the newest event of each aggregate whose id is in a range. It reads only the index of the events of
     * aggregates, backwards.
     */
    private static final String NEWEST_OF_EACH = "SELECT DISTINCT ON (aggregate_id) " + COLUMNS
            + " FROM event WHERE aggregate_id >= ? AND aggregate_id < ? ORDER BY aggregate_id DESC, sequence DESC";

    /**
     * Selects the newest event of each aggregate whose id is in a range, out of a range of positions. OFFSET keeps
     * PostgreSQL from reading all events of these aggregates instead.
     */
    private static final String NEWEST_OF_EACH_BETWEEN = "SELECT DISTINCT ON (aggregate_id) * FROM (SELECT " + COLUMNS
            + " FROM event WHERE position > ? AND position <= ? OFFSET 0) AS recent"
            + " WHERE aggregate_id >= ? AND aggregate_id < ? ORDER BY aggregate_id DESC, sequence DESC";

    /** One statement, so that no event is stored between the count and the head. */
    private static final String COUNT_OF_EACH = """
            SELECT (SELECT count(*) FROM event WHERE aggregate_id >= ? AND aggregate_id < ?) AS events, position
            FROM event_head""";

    /** How many events the aggregates of a kind have, up to a position of the log. */
    public record CountAtHead(long events, long head) {}

    private final Log log;
    private final LongSupplier reached;

    /** @param reached returns the position up to which the synchronous standby has the log, as this process knows */
    public LogReader(Log log, LongSupplier reached) {
        this.log = log;
        this.reached = reached;
    }

    public List<LogRow> after(long position, long upTo, int max) {
        return log.sql()
                .sql(AFTER)
                .params(position, upTo, max)
                .query(LogRow::of)
                .list();
    }

    public List<LogRow> between(long position, long upTo, Collection<String> unwanted) {
        return log.sql()
                .sql(BETWEEN)
                .params(position, upTo, unwanted.toArray(String[]::new))
                .query(LogRow::of)
                .list();
    }

    public List<LogRow> newestOfEach(String prefix) {
        return log.sql()
                .sql(NEWEST_OF_EACH)
                .params(prefix, after(prefix))
                .query(LogRow::of)
                .list();
    }

    public List<LogRow> newestOfEach(String prefix, long position, long upTo) {
        return log.sql()
                .sql(NEWEST_OF_EACH_BETWEEN)
                .params(position, upTo, prefix, after(prefix))
                .query(LogRow::of)
                .list();
    }

    public CountAtHead countOfEach(String prefix) {
        return log.sql()
                .sql(COUNT_OF_EACH)
                .params(prefix, after(prefix))
                .query((row, _) -> new CountAtHead(row.getLong("events"), row.getLong("position")))
                .single();
    }

    /** Returns the first text that sorts after all texts with this prefix. */
    private static String after(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    public List<LogRow> ofAggregate(String aggregateId, long firstSequence, int max) {
        return onStandby(log.sql().sql(OF_AGGREGATE).params(aggregateId, firstSequence, max));
    }

    public List<LogRow> newestOfAggregate(String aggregateId, long below, int max) {
        return onStandby(log.sql().sql(NEWEST_OF_AGGREGATE).params(aggregateId, below, max));
    }

    public List<LogRow> ofAggregates(Collection<String> aggregateIds) {
        return onStandby(log.sql().sql(OF_AGGREGATES).params(new Object[] {aggregateIds.toArray(String[]::new)}));
    }

    /**
     * Reads events, and waits for the standby if this process does not know yet that the standby has them. An answer to
     * a repeated request follows from them, and is as final as the first one.
     */
    private List<LogRow> onStandby(StatementSpec query) {
        List<LogRow> events = query.query(LogRow::of).list();
        long known = reached.getAsLong();
        // In a transaction the wait would not end with this statement, but only with the commit, which waits anyway.
        boolean isLocked = TransactionSynchronizationManager.isActualTransactionActive();
        if (!isLocked && events.stream().anyMatch(event -> event.position() > known)) {
            awaitStandby();
        }
        return events;
    }

    public Optional<Long> lastSequenceOf(String aggregateId) {
        return log.sql()
                .sql("SELECT sequence FROM event WHERE aggregate_id = ? ORDER BY sequence DESC LIMIT 1")
                .param(aggregateId)
                .query(Long.class)
                .optional();
    }

    public long head() {
        return log.sql()
                .sql("SELECT position FROM event_head")
                .query(Long.class)
                .single();
    }

    /** Returns the event at the head; empty if there is none. */
    public Optional<LogEntry> newest() {
        return log.sql()
                .sql(NEWEST)
                .query((row, i) -> new LogEntry(row.getLong("position"), row.getObject("event_id", UUID.class)))
                .optional();
    }

    /** Waits until the synchronous standby has all events that can be read now; returns at once if there is none. */
    public void awaitStandby() {
        log.sql().sql(SynchronousStandby.AWAIT).query().listOfRows();
    }

    /** Returns the head's position if the log lacks the event; empty if the log has it. */
    public Optional<Long> headWithout(LogEntry known) {
        return log.sql()
                .sql(HEAD_WITHOUT)
                .params(known.position(), known.id())
                .query(Long.class)
                .optional();
    }

    /**
     * Returns the position before the oldest event. This is one statement, because between two statements the log could
     * get its very first event. A reader that begins after this first event would never see it.
     */
    public long beginning() {
        return log.sql().sql("""
                        SELECT coalesce((SELECT position FROM event ORDER BY position LIMIT 1) - 1,
                                        (SELECT position FROM event_head))""").query(Long.class).single();
    }

    /**
     * Returns the position before the first event of this time or later. Times follow positions except for a little
     * disorder, so a binary search needs no index. Stored times are truncated to microseconds. The given time is
     * truncated as well, because otherwise a search for an event's own time would miss the event.
     */
    public long before(Instant time) {
        long head = head();
        long low = beginning();
        long high = head;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (timeAfter(middle).isBefore(time.minus(DISORDER_MAX))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return log.sql()
                .sql("SELECT position - 1 FROM event WHERE position > ? AND at >= ? ORDER BY position LIMIT 1")
                .params(low, Timestamp.from(time.truncatedTo(ChronoUnit.MICROS)))
                .query(Long.class)
                .optional()
                .orElse(head);
    }

    private Instant timeAfter(long position) {
        return log.sql()
                .sql("SELECT at FROM event WHERE position > ? ORDER BY position LIMIT 1")
                .param(position)
                .query(Timestamp.class)
                .single()
                .toInstant();
    }
}
