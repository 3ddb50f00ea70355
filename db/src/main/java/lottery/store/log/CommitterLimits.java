package lottery.store.log;

import java.time.Duration;

/**
 * The limits of the committer: how much it takes on.
 *
 * @param waitingUnitsMax units of work in the queue; who comes later is refused
 * @param eventsPerUnitMax events of one unit of work
 * @param eventBytesMax payload and metadata of one event
 * @param eventsPerGroupMax events in one commit: more only make it longer for all who wait for it
 * @param bytesPerGroupMax bytes in one commit
 * @param queueWaitMax how long a unit waits for its turn while the database is away or slow, before it is refused
 * @param outcomeWaitMax how long the database may be away in the middle of a commit, before its callers are told that
 *     nobody knows
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
     * Nobody waits longer, whatever happens: its turn, a statement that the driver gives up, the search for its
     * outcome. Who has no answer by then does not know it.
     */
    Duration answerWaitMax() {
        return queueWaitMax.plus(outcomeWaitMax).plus(statementMax);
    }
}
