package lottery.store.log;

import java.time.Duration;

/**
 * The limits of the committer.
 *
 * @param waitingUnitsMax units of work in the queue; more are refused
 * @param eventsPerUnitMax events of one unit of work
 * @param eventBytesMax payload and metadata of one event
 * @param eventsPerGroupMax events in one commit: more would only make it longer for every unit in it
 * @param bytesPerGroupMax bytes in one commit
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
     * Returns the longest time that a caller waits: for its turn, for a statement until the driver gives up, and for
     * the outcome. After that the outcome is reported as unknown.
     */
    Duration answerWaitMax() {
        return queueWaitMax.plus(outcomeWaitMax).plus(statementMax);
    }
}
