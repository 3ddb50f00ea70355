package lottery.store.processing;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the positions of events that a member of a processor could not handle, in the order in which they wait. Later
 * events of the same sequence wait behind them, while all other events are handled. The events themselves stay in the
 * log. {@code processor} is the name of the member.
 */
final class ParkedEventStore {

    /** The pause after the first attempt. Each further pause is twice as long, up to the longest pause. */
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

    private static final Duration PAUSE_MAX = Duration.ofHours(1);

    private static final String WAITING = " FROM parked_event WHERE processor = :processor AND dropped_because IS NULL";

    private final JdbcClient database;

    ParkedEventStore(JdbcClient database) {
        this.database = database;
    }

    /** A parked event, by its position in the log. */
    record ParkedEventPosition(String sequence, long position) {}

    /** Begins a part of the current transaction that can be taken back by itself. */
    void beginPart() {
        database.sql("SAVEPOINT part").update();
    }

    void endPart() {
        database.sql("RELEASE SAVEPOINT part").update();
    }

    void takePartBack() {
        database.sql("ROLLBACK TO SAVEPOINT part").update();
        endPart();
    }

    void park(String processor, ParkedEventPosition event, Throwable cause) {
        insert(processor, event, CauseText.of(cause));
    }

    /** Parks an event behind an earlier parked event of its sequence. */
    void parkBehind(String processor, ParkedEventPosition event) {
        insert(processor, event, "waits behind another event of " + event.sequence());
    }

    private void insert(String processor, ParkedEventPosition event, String cause) {
        database.sql("""
                        INSERT INTO parked_event (processor, sequence_id, position, cause, retry_at)
                        VALUES (:processor, :sequence, :position, :cause,
                                clock_timestamp() + :pause * interval '1 millisecond')
                        ON CONFLICT DO NOTHING""")
                .param("processor", processor)
                .param("sequence", event.sequence())
                .param("position", event.position())
                .param("cause", cause)
                .param("pause", FIRST_PAUSE.toMillis())
                .update();
    }

    /** Returns the sequences that have parked events. */
    Set<String> sequences(String processor) {
        return new HashSet<>(database.sql("SELECT sequence_id FROM parked_first(?)")
                .param(processor)
                .query((row, i) -> row.getString(1))
                .list());
    }

    /** Returns the first parked event of each sequence where that event is due. */
    List<ParkedEventPosition> due(String processor, int max) {
        return database.sql("""
                        SELECT sequence_id, position FROM parked_first(?) WHERE retry_at <= clock_timestamp()
                        ORDER BY retry_at LIMIT ?""")
                .params(processor, max)
                .query((row, i) -> new ParkedEventPosition(row.getString(1), row.getLong(2)))
                .list();
    }

    /**
     * Removes an event that was handled, and makes the next event of its sequence due. Returns false if the handled
     * event was dropped meanwhile.
     */
    boolean handled(String processor, ParkedEventPosition event) {
        int waited = database.sql("""
                        DELETE FROM parked_event
                        WHERE processor = :processor AND position = :position AND dropped_because IS NULL""")
                .param("processor", processor)
                .param("position", event.position())
                .update();
        database.sql("""
                        UPDATE parked_event SET retry_at = clock_timestamp()
                        WHERE processor = :processor AND position = (
                                SELECT position""" + WAITING + """
                                 AND sequence_id = :sequence ORDER BY position LIMIT 1)
                          AND retry_at > clock_timestamp()""")
                .param("processor", processor)
                .param("sequence", event.sequence())
                .update();
        return waited == 1;
    }

    /** Tries an event again later, without counting a failure. */
    void later(String processor, ParkedEventPosition event) {
        database.sql("""
                        UPDATE parked_event SET retry_at = clock_timestamp() + :pause * interval '1 millisecond'
                        WHERE processor = :processor AND position = :position AND dropped_because IS NULL""")
                .param("processor", processor)
                .param("position", event.position())
                .param("pause", FIRST_PAUSE.toMillis())
                .update();
    }

    void failedAgain(String processor, ParkedEventPosition event, Throwable cause) {
        database.sql("""
                        UPDATE parked_event
                        SET attempts = attempts + 1, cause = :cause,
                            retry_at = clock_timestamp()
                                + least(:pause * 2.0 ^ least(attempts, 20), :pause_max) * interval '1 millisecond'
                        WHERE processor = :processor AND position = :position AND dropped_because IS NULL""")
                .param("processor", processor)
                .param("position", event.position())
                .param("cause", CauseText.of(cause))
                .param("pause", FIRST_PAUSE.toMillis())
                .param("pause_max", PAUSE_MAX.toMillis())
                .update();
    }

    /** Removes the parked events after a position, because a processor that restarts there handles them again. */
    void forgetAfter(String processor, long position) {
        database.sql("DELETE FROM parked_event WHERE processor = :processor AND position > :position")
                .param("processor", processor)
                .param("position", position)
                .update();
    }
}
