package lottery.pool;

import java.util.List;
import lottery.api.activity.ActivityId;

/** Reads the entries of pools in the order of their numbers. */
@FunctionalInterface
public interface PoolEntryReader {

    /** How many entries are read at once. */
    int PAGE = 4_096;

    /** An entry: a raffle order and its number. */
    record PoolEntry(int entryNo, String orderId) {}

    /** Returns the entries above a number, a page at most. */
    List<PoolEntry> above(ActivityId activityId, int entryNo);
}
