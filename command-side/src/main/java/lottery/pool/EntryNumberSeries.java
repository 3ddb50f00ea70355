package lottery.pool;

import java.util.OptionalInt;
import lottery.api.Answer;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;

/**
 * The numbers of the entries of each pool: from 1 on, without gaps, in the sequence of the log. A raffle order with a
 * number is an entry of the pool.
 */
public interface EntryNumberSeries {

    /** Refuses if this process knows that the pool is closed. */
    Answer<ActivityId> requireOpen(ActivityId activityId);

    /**
     * Takes the next number with the current unit of work. If another process has closed the pool, the unit of work
     * fails, its command is handled again, and {@link #requireOpen} refuses.
     */
    void take(ActivityId activityId, RaffleOrderId orderId);

    /**
     * Returns the number of an entry that is stored; empty if it gets its number when the pool is frozen, because it is
     * in another log than the pool.
     */
    OptionalInt of(ActivityId activityId, RaffleOrderId orderId);

    /** Closes the pool with the current unit of work. No entry is stored after that commit. */
    void close(ActivityId activityId);
}
