package lottery.pool;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import lottery.api.activity.ActivityId;

/**
 * The pools that are known to take no more entries, because they are closed or full. If a pool is forgotten here, its
 * next entry finds this out again.
 */
final class ClosedPoolCache {

    /**
     * The most entries that a pool takes. A process learns that a pool is full from the numbers of its own entries. So
     * other processes may add a few more entries at the same moment. Ordering so many entries needs 200 MB of memory.
     */
    static final int ENTRIES_MAX = 5_000_000;

    private static final long KNOWN_MAX = 10_000;

    private final Cache<ActivityId, Boolean> closed =
            Caffeine.newBuilder().maximumSize(KNOWN_MAX).build();

    boolean contains(ActivityId activityId) {
        return closed.getIfPresent(activityId) != null;
    }

    void add(ActivityId activityId) {
        closed.put(activityId, true);
    }

    /** Notes the number of an entry. After the last number the pool is full. */
    void numbered(ActivityId activityId, int entryNo) {
        if (entryNo >= ENTRIES_MAX) {
            add(activityId);
        }
    }
}
