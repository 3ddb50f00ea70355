package lottery.store.processing;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Parked events for whoever has to help them: what there is and why, to be tried at once, or to be given up. A
 * processor notices within a second or two, in whichever process it runs.
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
                WHERE processor = :processor AND position <> :position AND dropped_because IS NULL
                  AND sequence_id IN (SELECT sequence_id FROM dropped))
            SELECT count(*) FROM dropped""";

    private final JdbcClient database;

    ParkedEventQueries(JdbcClient database) {
        this.database = database;
    }

    /**
     * Which ones to list.
     *
     * @param processor of which one; null: of all
     * @param dropped those that were given up, instead of the first of each sequence that waits
     * @param sequence all that wait of this sequence, instead of the first of each
     */
    public record Wanted(
            @Nullable String processor,
            boolean dropped,
            @Nullable String sequence) {}

    /** By processor, and then by position. The page begins after that place: {@code ("", 0)} is before all of them. */
    public List<ParkedEventView> find(Wanted wanted, String afterProcessor, long afterPosition, int max) {
        return ask(SELECT + condition(wanted) + PAGE)
                .param("processor", wanted.processor())
                .param("sequence", wanted.sequence())
                .param("after_processor", afterProcessor)
                .param("after_position", afterPosition)
                .param("max", max)
                .query(ParkedEventQueries::parked)
                .list();
    }

    private static String condition(Wanted wanted) {
        String state = "dropped_because IS " + (wanted.dropped() ? "NOT NULL" : "NULL");
        if (wanted.sequence() != null) {
            return state + " AND sequence_id = :sequence";
        }
        return wanted.dropped() ? state : state + " AND " + FIRST;
    }

    /** Whether it waits or was given up; empty: it was never parked, or was handled since. */
    public Optional<ParkedEventView> find(String processor, long position) {
        return ask(SELECT + "processor = :processor AND position = :position")
                .param("processor", processor)
                .param("position", position)
                .query(ParkedEventQueries::parked)
                .optional();
    }

    /** Whether a processor of that name has ever begun, in any process. */
    public boolean knows(String processor) {
        return ask("SELECT EXISTS (SELECT FROM token WHERE processor = :processor)")
                .param("processor", processor)
                .query(Boolean.class)
                .single();
    }

    /** Makes it due at once, and with it those of its sequence that come first. Says whether it waits. */
    public boolean retry(String processor, long position) {
        return ask(RETRY)
                        .param("processor", processor)
                        .param("position", position)
                        .update()
                > 0;
    }

    /** Gives it up, for a reason that is kept. Those behind it are due at once. Says whether it has waited. */
    public boolean drop(String processor, long position, String reason) {
        return ask(DROP)
                        .param("processor", processor)
                        .param("position", position)
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
                row.getLong("position"),
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
