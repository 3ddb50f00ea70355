package lottery.api.pool;

import java.time.Instant;
import java.util.List;
import lottery.api.Event;
import lottery.api.EventName;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.StrategyId;

/** The events of a pool. */
public sealed interface PoolEvent extends Event {

    ActivityId activityId();

    /**
     * The entries were closed. All entries of the activity in the log before this event are the pool, and there are
     * none after it.
     */
    @EventName("pool.entries-closed")
    record EntriesClosed(ActivityId activityId) implements PoolEvent {}

    /**
     * The facts that decide the draw of the pool were published: its content and everything else except the public
     * random value.
     *
     * @param entries the number of entries, which are numbered from 1
     * @param root the root of the Merkle tree over the entries, in hex
     * @param round the round of the activity whose seed is used
     * @param strategyVersion the version whose awards are won
     * @param strategyHash the hash of the version
     * @param beacon the source of the public random value
     * @param beaconRound the name of the public random value that will be used; nobody knows the value yet
     * @param reserves how many reserves were asked for
     */
    @EventName("pool.frozen")
    record PoolFrozen(
            ActivityId activityId,
            int entries,
            String root,
            int round,
            StrategyId strategyId,
            int strategyVersion,
            String strategyHash,
            String beacon,
            String beaconRound,
            Instant drawAt,
            int reserves)
            implements PoolEvent {}

    /**
     * The order of the entries is certain from here on.
     *
     * @param beaconValue the public random value, in hex
     * @param drawKey the key of the order, in hex; it follows from the seed, the root and the random value
     * @param winners how many entries win, from the first place on
     * @param reserves how many of the places after them are reserves
     */
    @EventName("pool.ordered")
    record PoolOrdered(ActivityId activityId, String beaconValue, String drawKey, int winners, int reserves)
            implements PoolEvent {}

    /**
     * The entries at some consecutive places have won, in the same commit. The next such event continues with the next
     * place.
     */
    @EventName("pool.page-drawn")
    record PoolPageDrawn(ActivityId activityId, List<PoolWin> wins) implements PoolEvent {

        public PoolPageDrawn {
            wins = List.copyOf(wins);
        }
    }

    /**
     * All wins are given. The event repeats the facts from which the order of the entries followed, and states the
     * result.
     */
    @EventName("pool.drawn")
    record PoolDrawn(ActivityId activityId, int entries, int winners, int reserves, String beaconValue, String drawKey)
            implements PoolEvent {}

    /**
     * A reserve has won an award that another entry does not get, in the same commit.
     *
     * @param vacated the award record of that other entry
     */
    @EventName("pool.reserve-moved-up")
    record ReserveMovedUp(ActivityId activityId, PoolWin win, AwardRecordId vacated, int vacatedEntryNo)
            implements PoolEvent {}

    /** The winner of an award does not get it, and no reserve is left that could win it. */
    @EventName("pool.reserves-used-up")
    record ReservesUsedUp(ActivityId activityId, AwardRecordId vacated) implements PoolEvent {}

    /** The activity was closed before its entries were closed. The log has no entry after this event. */
    @EventName("pool.cancelled")
    record PoolCancelled(ActivityId activityId) implements PoolEvent {}

    /**
     * The chances of entries were given back.
     *
     * @param upTo the number of the last of these entries
     */
    @EventName("pool.entries-returned")
    record EntriesReturned(ActivityId activityId, int upTo) implements PoolEvent {}
}
