package lottery.pool;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import lottery.api.activity.ActivityId;
import lottery.pool.EntryTree.Sibling;
import org.springframework.stereotype.Component;

/**
 * Finds the hashes that lead from an entry to the root of its frozen pool. A crowd asks for them at the moment of the
 * draw. So the roots of groups of leaves are kept, and a proof reads and hashes one group instead of a whole chunk.
 */
@Component
class EntryProofs {

    /** The leaves of a group, a power of two. A chunk has as many groups. */
    static final int GROUP = 64;

    private static final long POOLS_KEPT_MAX = 100;

    /** Two kilobytes each. A pool of a million entries has 245. */
    private static final long CHUNKS_KEPT_MAX = 4_096;

    private static final Duration IDLE_MAX = Duration.ofMinutes(10);

    private final FrozenLeaves frozen;
    private final Cache<ActivityId, List<byte[]>> chunkRoots = Caffeine.newBuilder()
            .maximumSize(POOLS_KEPT_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();
    private final Cache<Chunk, List<byte[]>> groupRoots = Caffeine.newBuilder()
            .maximumSize(CHUNKS_KEPT_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    EntryProofs(FrozenLeaves frozen) {
        this.frozen = frozen;
    }

    private record Chunk(ActivityId activityId, int number) {

        int firstEntry() {
            return number * EntryTree.CHUNK + 1;
        }
    }

    /** A leaf, and the siblings from it to the root of its pool. */
    @SuppressWarnings("ArrayRecordComponent") // The array is neither compared nor changed.
    record ProvedLeaf(byte[] leaf, List<Sibling> path) {}

    /** Proves an entry of a pool that is frozen. */
    ProvedLeaf find(ActivityId activityId, int entryNo) {
        Chunk chunk = new Chunk(activityId, (entryNo - 1) / EntryTree.CHUNK);
        int group = (entryNo - chunk.firstEntry()) / GROUP;
        int firstEntry = chunk.firstEntry() + group * GROUP;
        List<byte[]> leaves = frozen.leaves(activityId, firstEntry, GROUP);
        int index = entryNo - firstEntry;
        List<Sibling> path = new ArrayList<>(EntryTree.path(leaves, index));
        path.addAll(EntryTree.path(groupRoots(chunk), group));
        path.addAll(EntryTree.path(chunkRoots(activityId), chunk.number()));
        return new ProvedLeaf(leaves.get(index), path);
    }

    private List<byte[]> chunkRoots(ActivityId activityId) {
        return Objects.requireNonNull(chunkRoots.get(activityId, frozen::roots));
    }

    private List<byte[]> groupRoots(Chunk chunk) {
        return Objects.requireNonNull(groupRoots.get(chunk, this::readGroupRoots));
    }

    private List<byte[]> readGroupRoots(Chunk chunk) {
        List<byte[]> leaves = frozen.leaves(chunk.activityId(), chunk.firstEntry(), EntryTree.CHUNK);
        List<byte[]> roots = new ArrayList<>();
        for (int from = 0; from < leaves.size(); from += GROUP) {
            roots.add(EntryTree.root(leaves.subList(from, Math.min(from + GROUP, leaves.size()))));
        }
        return roots;
    }
}
