package lottery.messaging.feed;

import java.time.Instant;
import lottery.api.activity.ActivityId;
import lottery.api.pool.PoolId;

/** Messages about the pool of an activity that is drawn at one time. */
sealed interface PoolFeedMessage extends FeedMessage {

    ActivityId activityId();

    @Override
    default String key() {
        return Long.toString(activityId().value());
    }

    @Override
    default String subject() {
        return new PoolId(activityId()).text();
    }

    /**
     * The pool takes no more entries, and its content is fixed.
     *
     * @param entries the number of entries; they are numbered from 1
     * @param root the root of the Merkle tree over the entries, in hex
     * @param round the round of the activity whose seed is used
     * @param strategyVersion the version of the strategy whose awards are won
     * @param strategyHash the SHA-256 of that version's definition, in hex
     * @param beacon the source of the public random value
     * @param beaconRound identifies the random value that will be used, which is not known yet
     * @param reserves the largest number of reserves
     */
    @CloudEventType("lottery.pool.frozen.v1")
    record Frozen(
            ActivityId activityId,
            int entries,
            String root,
            int round,
            int strategyVersion,
            String strategyHash,
            String beacon,
            String beaconRound,
            Instant drawAt,
            int reserves)
            implements PoolFeedMessage {}

    /**
     * All wins of the pool were recorded.
     *
     * @param winners how many entries have won, counted from the first place of the drawn order
     * @param reserves how many of the places after the winners are reserves
     * @param beaconValue the public random value, in hex
     * @param drawKey the key from which the drawn order follows, in hex
     */
    @CloudEventType("lottery.pool.drawn.v1")
    record Drawn(ActivityId activityId, int entries, int winners, int reserves, String beaconValue, String drawKey)
            implements PoolFeedMessage {}

    /**
     * A reserve has won an award that another entry does not get.
     *
     * @param place the place of the reserve in the order of the draw
     * @param insteadOf the number of the entry that does not get the award
     */
    @CloudEventType("lottery.pool.reserve-moved-up.v1")
    record ReserveMovedUp(ActivityId activityId, int place, int entryNo, int awardId, int insteadOf)
            implements PoolFeedMessage {}

    /** The activity was closed before its entries were closed. All chances are returned. */
    @CloudEventType("lottery.pool.cancelled.v1")
    record Cancelled(ActivityId activityId) implements PoolFeedMessage {}
}
