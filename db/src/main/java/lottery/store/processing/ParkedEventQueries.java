package lottery.store.processing;

import static java.util.Comparator.comparing;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Shows operators the parked events and why they are parked, and lets them retry a parked event at once or drop it. The
 * processor notices the decision within two seconds, even if it runs in another process. {@code processor} is the name
 * of a processing group, which may share its processor with others. A position is the number of a {@link LogPosition}.
 * The list has the events of all logs; the other methods work in the current log.
 */
public final class ParkedEventQueries {

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    private static final String SELECT = """
            SELECT parked.*, event.type, event.aggregate_id,
                   (SELECT count(*) FROM parked_event AS behind
                    WHERE behind.processor = parked.processor AND behind.sequence_id = parked.sequence_id
                      AND behind.position > parked.position AND behind.dropped_because IS NULL
                      AND parked.dropped_because IS NULL) AS behind
            FROM parked_event AS parked LEFT JOIN event USING (position)
            WHERE\s""";

    private static final String FIRST = """
            NOT EXISTS (SELECT FROM parked_event AS before
                        WHERE before.processor = parked.processor AND before.sequence_id = parked.sequence_id
                          AND before.position < parked.position AND before.dropped_because IS NULL)""";

    private static final String PAGE = """
             AND (:processor::text IS NULL OR processor = :processor)
             AND (processor, position) > (:after_processor, :after_position)
            ORDER BY processor, position LIMIT :max""";

    private static final String RETRY = """
            UPDATE parked_event SET retry_at = clock_timestamp()
            WHERE processor = :processor AND position <= :position AND dropped_because IS NULL
              AND sequence_id = (SELECT sequence_id FROM parked_event
                                 WHERE processor = :processor AND position = :position AND dropped_because IS NULL)""";

    private static final String DROP = """
            WITH dropped AS (
                UPDATE parked_event SET dropped_because = :reason, dropped_at = clock_timestamp()
                WHERE processor = :processor AND position = :position AND dropped_because IS NULL
                RETURNING sequence_id),
            due AS (
                UPDATE parked_event SET retry_at = clock_timestamp()
                WHERE processor = :processor AND position = (
                    SELECT position FROM parked_event
                    WHERE processor = :processor AND position <> :position AND dropped_because IS NULL
                      AND sequence_id = (SELECT sequence_id FROM dropped)
                    ORDER BY position LIMIT 1))
            SELECT count(*) FROM dropped""";

    private static final Comparator<ParkedEventView> ORDER =
            comparing(ParkedEventView::processor).thenComparingLong(ParkedEventView::position);

    private final JdbcClient database;
    private final Logs logs;

    ParkedEventQueries(JdbcClient database, Logs logs) {
        this.database = database;
        this.logs = logs;
    }

    /**
     * Says which events to list.
     *
     * @param processor the processor; null: all
     * @param dropped true: the events that were dropped; false: the first waiting event of each sequence
     * @param sequence if set: all waiting events of this sequence, instead of the first event of each sequence
     */
    public record ParkedEventFilter(
            @Nullable String processor,
            boolean dropped,
            @Nullable String sequence) {}

    /**
     * Returns a page of events, ordered by processor and then by position. It begins after the given place; {@code ("",
     * 0)} is before all events.
     */
    public List<ParkedEventView> find(ParkedEventFilter filter, String afterProcessor, long afterPosition, int max) {
        LogPosition after = LogPosition.of(afterPosition);
        return logs.readAll(() -> findInLog(filter, afterProcessor, after, max), ORDER, max);
    }

    private List<ParkedEventView> findInLog(
            ParkedEventFilter filter, String afterProcessor, LogPosition after, int max) {
        int log = logs.current().number();
        // All positions of a log are before those of the next one.
        long afterPosition = log == after.log() ? after.position() : log < after.log() ? Long.MAX_VALUE : 0;
        return ask(SELECT + condition(filter) + PAGE)
                .param("processor", filter.processor())
                .param("sequence", filter.sequence())
                .param("after_processor", afterProcessor)
                .param("after_position", afterPosition)
                .param("max", max)
                .query(ParkedEventQueries::parked)
                .list();
    }

    private static String condition(ParkedEventFilter filter) {
        String state = "dropped_because IS " + (filter.dropped() ? "NOT NULL" : "NULL");
        if (filter.sequence() != null) {
            return state + " AND sequence_id = :sequence";
        }
        return filter.dropped() ? state : state + " AND " + FIRST;
    }

    /** Returns an event that waits or was dropped; empty if it was never parked or has been handled since. */
    public Optional<ParkedEventView> find(String processor, long position) {
        return ask(SELECT + "processor = :processor AND position = :position")
                .param("processor", processor)
                .param("position", LogPosition.of(position).position())
                .query(ParkedEventQueries::parked)
                .optional();
    }

    /** Returns whether a process has, or had last, a group of handlers of that name. */
    public boolean knows(String processor) {
        return ask("SELECT EXISTS (SELECT FROM token WHERE :processor = ANY (members || newcomers))")
                .param("processor", processor)
                .query(Boolean.class)
                .single();
    }

    /** Makes an event and all earlier events of its sequence due at once. Returns whether the event waits. */
    public boolean retry(String processor, long position) {
        return ask(RETRY)
                        .param("processor", processor)
                        .param("position", LogPosition.of(position).position())
                        .update()
                > 0;
    }

    /**
     * Drops an event and keeps the reason. The next event of its sequence is due at once. Returns whether the event was
     * waiting.
     */
    public boolean drop(String processor, long position, String reason) {
        return ask(DROP)
                        .param("processor", processor)
                        .param("position", LogPosition.of(position).position())
                        .param("reason", reason)
                        .query(Long.class)
                        .single()
                == 1;
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }

    private static ParkedEventView parked(ResultSet row, int number) throws SQLException {
        return new ParkedEventView(
                row.getString("processor"),
                row.getString("sequence_id"),
                LogPosition.inCurrentLog(row.getLong("position")).number(),
                row.getString("type"),
                row.getString("aggregate_id"),
                row.getString("cause"),
                row.getInt("attempts"),
                row.getObject("parked_at", OffsetDateTime.class).toInstant(),
                row.getObject("retry_at", OffsetDateTime.class).toInstant(),
                row.getLong("behind"),
                row.getString("dropped_because"),
                instant(row.getObject("dropped_at", OffsetDateTime.class)));
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
