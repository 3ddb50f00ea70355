package lottery.pool;

import java.util.ArrayList;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolEvent.EntriesClosed;
import lottery.api.pool.PoolEvent.EntriesReturned;
import lottery.api.pool.PoolEvent.PoolCancelled;
import lottery.api.pool.PoolEvent.PoolDrawn;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolEvent.ReserveMovedUp;
import lottery.api.pool.PoolEvent.ReservesUsedUp;
import lottery.api.pool.PoolState;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a pool, folded from its events.
 *
 * @param frozen the event that published the content of the pool; null before that event
 * @param ordered the event that fixed the order of the entries; null before that event
 * @param placesDrawn how many places have got their wins
 * @param movedUp the reserves that have won, the first one first
 * @param withoutReserve the records of awards that their winners do not get, and for which no reserve was left
 * @param returnedUpTo the number of the last entry whose chance was given back
 */
record PoolProgress(
        ActivityId activityId,
        PoolState state,
        @Nullable PoolFrozen frozen,
        @Nullable PoolOrdered ordered,
        int placesDrawn,
        List<ReserveMovedUp> movedUp,
        List<AwardRecordId> withoutReserve,
        int returnedUpTo) {

    PoolProgress {
        movedUp = List.copyOf(movedUp);
        withoutReserve = List.copyOf(withoutReserve);
    }

    static PoolProgress open(ActivityId activityId) {
        return new PoolProgress(activityId, PoolState.OPEN, null, null, 0, List.of(), List.of(), 0);
    }

    /**
     * Returns whether an award that its winner does not get is settled: a reserve has got the award, or no reserve was
     * left.
     */
    boolean isSettled(AwardRecordId vacated) {
        return withoutReserve.contains(vacated)
                || movedUp.stream().anyMatch(moved -> moved.vacated().equals(vacated));
    }

    /** Returns the place of the next reserve; null if there is none any more. */
    @Nullable
    Integer nextReserve() {
        return ordered == null || movedUp.size() >= ordered.reserves() ? null : ordered.winners() + movedUp.size() + 1;
    }

    PoolProgress evolve(PoolEvent event) {
        return switch (event) {
            case EntriesClosed _ -> in(PoolState.CLOSED);
            case PoolFrozen published ->
                new PoolProgress(activityId, PoolState.FROZEN, published, ordered, 0, movedUp, withoutReserve, 0);
            case PoolOrdered certain ->
                new PoolProgress(activityId, PoolState.ORDERED, frozen, certain, 0, movedUp, withoutReserve, 0);
            case PoolPageDrawn page ->
                new PoolProgress(
                        activityId,
                        state,
                        frozen,
                        ordered,
                        placesDrawn + page.wins().size(),
                        movedUp,
                        withoutReserve,
                        returnedUpTo);
            case PoolDrawn _ -> in(PoolState.DRAWN);
            case ReserveMovedUp moved ->
                new PoolProgress(
                        activityId,
                        state,
                        frozen,
                        ordered,
                        placesDrawn,
                        with(movedUp, moved),
                        withoutReserve,
                        returnedUpTo);
            case ReservesUsedUp none ->
                new PoolProgress(
                        activityId,
                        state,
                        frozen,
                        ordered,
                        placesDrawn,
                        movedUp,
                        with(withoutReserve, none.vacated()),
                        returnedUpTo);
            case PoolCancelled _ -> in(PoolState.CANCELLED);
            case EntriesReturned returned ->
                new PoolProgress(
                        activityId, state, frozen, ordered, placesDrawn, movedUp, withoutReserve, returned.upTo());
        };
    }

    private PoolProgress in(PoolState next) {
        return new PoolProgress(activityId, next, frozen, ordered, placesDrawn, movedUp, withoutReserve, returnedUpTo);
    }

    private static <T> List<T> with(List<T> list, T more) {
        List<T> longer = new ArrayList<>(list);
        longer.add(more);
        return longer;
    }
}
