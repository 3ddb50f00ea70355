package lottery.store.commit;

import java.time.Duration;
import lottery.store.log.EventRow;

/**
 * The limits of the committer.
 *
 * @param waitingUnitsMax the most units of work in the queue; further units are refused
 * @param eventsPerUnitMax the most events of one unit of work
 * @param eventBytesMax the most bytes of one event, payload and metadata together
 * @param eventsPerGroupMax the most events in one commit; more events would only make every unit of the group wait
 *     longer
 * @param bytesPerGroupMax the most bytes in one commit
 * @param queueWaitMax how long a unit waits for its turn while the database is away or slow, before it is refused
 * @param outcomeWaitMax how long the database may be away in the middle of a commit, before the outcome is reported as
 *     unknown
 * @param statementMax how long the driver waits for a statement, at most
 */
record CommitterLimits(
        int waitingUnitsMax,
        int eventsPerUnitMax,
        int eventBytesMax,
        int eventsPerGroupMax,
        int bytesPerGroupMax,
        Duration queueWaitMax,
        Duration outcomeWaitMax,
        Duration statementMax) {

    static final CommitterLimits DEFAULT = new CommitterLimits(
            4_096,
            1_000,
            4 << 20,
            2_000,
            8 << 20,
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60));

    /**
     * Returns the longest time that a caller waits for its answer. It is the sum of three waits: until the turn of the
     * unit of work comes, until the driver gives up a statement, and until the outcome of a lost commit is known. After
     * that the outcome is reported as unknown.
     */
    Duration answerWaitMax() {
        return queueWaitMax.plus(outcomeWaitMax).plus(statementMax);
    }

    /** Throws if a unit is larger than one may be. */
    void requireAllowed(CommitUnit unit) {
        if (unit.rows().size() > eventsPerUnitMax) {
            throw new UnstorableEventException("a unit of work has %d events, and at most %d are allowed"
                    .formatted(unit.rows().size(), eventsPerUnitMax));
        }
        for (EventRow row : unit.rows()) {
            if (row.bytes() > eventBytesMax) {
                throw new UnstorableEventException("an event of %s has %d bytes, and at most %d are allowed"
                        .formatted(row.aggregateId(), row.bytes(), eventBytesMax));
            }
        }
    }
}
