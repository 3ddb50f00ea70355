package lottery.api.pool;

import lottery.api.Command;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;

/** The commands to a pool. Each command may come twice. The answer is the state of the pool after it. */
public sealed interface PoolCommand extends Command<PoolState> {

    ActivityId activityId();

    @Override
    default PoolId target() {
        return new PoolId(activityId());
    }

    /** Ends the time for entries, either as planned or because the activity was closed before. */
    record CloseEntries(ActivityId activityId) implements PoolCommand {}

    /** Publishes the root and the number of the entries in the pool. */
    record FreezePool(ActivityId activityId) implements PoolCommand {}

    /** Puts the entries in their order, if the public random value is known. */
    record OrderPool(ActivityId activityId) implements PoolCommand {}

    /** Gives the wins to the entries at the next places. */
    record DrawPoolPage(ActivityId activityId) implements PoolCommand {}

    /** Lets the next reserve win an award that its winner does not get. */
    record MoveReserveUp(ActivityId activityId, AwardRecordId vacated) implements PoolCommand {}

    /** Notes that the chances of entries were given back, up to a number. */
    record NoteEntriesReturned(ActivityId activityId, int upTo) implements PoolCommand {}
}
