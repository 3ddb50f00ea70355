package lottery.pool;

import java.util.List;
import lottery.api.activity.ActivityId;

/** Reads the leaves of frozen pools, and the roots of their chunks. These leaves and roots no longer change. */
interface FrozenLeafReader {

    /**
     * Returns at most {@code max} leaves, from the entry with this number on. All of them are leaves of the same chunk.
     */
    List<byte[]> leaves(ActivityId activityId, int entryNo, int max);

    /** Returns the roots of all chunks, in their order. */
    List<byte[]> roots(ActivityId activityId);
}
