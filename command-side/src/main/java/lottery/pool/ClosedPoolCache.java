package lottery.pool;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import lottery.api.activity.ActivityId;

/**
 * The pools that are known to take no more entries, because they are closed or full. If the cache drops a pool, the
 * next attempt to enter it finds again that it takes no entries.
 */
final class ClosedPoolCache {

    /**
     * The most entries that a pool takes. To order so many entries, the draw needs 200 MB of memory. A process notices
     * that a pool is full when one of its own entries gets this number or a higher one. It does not look at the entries
     * of other processes. So a pool may get a few entries more than this. With several logs, each may have as many.
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

    /** Notes the number of a stored entry. If it is the last possible number, the pool counts as full. */
    void numbered(ActivityId activityId, int entryNo) {
        if (entryNo >= ENTRIES_MAX) {
            add(activityId);
        }
    }
}
