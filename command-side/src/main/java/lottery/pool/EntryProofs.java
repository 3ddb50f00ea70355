package lottery.pool;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.pool.EntryTree.Sibling;
import org.springframework.stereotype.Component;

/**
 * Finds the hashes that lead from an entry to the root of its frozen pool. Many users ask for these proofs at the
 * moment of the draw. So the roots of groups of 64 leaves are cached. A proof then reads and hashes the leaves of one
 * group, instead of a whole chunk of 4,096. Roots are cached only if they lead to the published root.
 */
@Component
class EntryProofs {

    /** The number of leaves in a group, a power of two. A chunk has 64 groups, too. */
    static final int GROUP = 64;

    private static final long POOLS_KEPT_MAX = 100;

    /**
     * The most chunks whose group roots are cached. A chunk takes three to four kilobytes of memory, and a pool of a
     * million entries has 245 chunks.
     */
    private static final long CHUNKS_KEPT_MAX = 4_096;

    private static final Duration IDLE_MAX = Duration.ofMinutes(10);

    private final FrozenLeafReader frozen;
    private final Cache<PublishedRoot, List<byte[]>> chunkRoots = Caffeine.newBuilder()
            .maximumSize(POOLS_KEPT_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();
    private final Cache<Chunk, List<byte[]>> groupRoots = Caffeine.newBuilder()
            .maximumSize(CHUNKS_KEPT_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    EntryProofs(FrozenLeafReader frozen) {
        this.frozen = frozen;
    }

    private record PublishedRoot(ActivityId activityId, String hex) {}

    private record Chunk(PublishedRoot pool, int number) {

        int firstEntry() {
            return number * EntryTree.CHUNK + 1;
        }
    }

    /** A leaf, and the siblings from it to the root of its pool. */
    @SuppressWarnings("ArrayRecordComponent") // The array is neither compared nor changed.
    record ProvedLeaf(byte[] leaf, List<Sibling> path) {}

    /** Returns the proof of an entry in a frozen pool with this root. */
    ProvedLeaf find(ActivityId activityId, String root, int entryNo) {
        Chunk chunk = new Chunk(new PublishedRoot(activityId, root), (entryNo - 1) / EntryTree.CHUNK);
        int group = (entryNo - chunk.firstEntry()) / GROUP;
        int firstEntry = chunk.firstEntry() + group * GROUP;
        List<byte[]> leaves = frozen.leaves(activityId, firstEntry, GROUP);
        int index = entryNo - firstEntry;
        List<Sibling> path = new ArrayList<>(EntryTree.path(leaves, index));
        List<byte[]> ofChunks = chunkRoots(chunk.pool());
        path.addAll(EntryTree.path(groupRoots(chunk, ofChunks), group));
        path.addAll(EntryTree.path(ofChunks, chunk.number()));
        return new ProvedLeaf(leaves.get(index), path);
    }

    private List<byte[]> chunkRoots(PublishedRoot pool) {
        List<byte[]> kept = chunkRoots.getIfPresent(pool);
        if (kept != null) {
            return kept;
        }
        List<byte[]> read = frozen.roots(pool.activityId());
        if (HexFormat.of().formatHex(EntryTree.root(read)).equals(pool.hex())) {
            chunkRoots.put(pool, read);
        }
        return read;
    }

    private List<byte[]> groupRoots(Chunk chunk, List<byte[]> ofChunks) {
        List<byte[]> kept = groupRoots.getIfPresent(chunk);
        if (kept != null) {
            return kept;
        }
        List<byte[]> read = readGroupRoots(chunk);
        boolean isPublished = ofChunks.equals(chunkRoots.getIfPresent(chunk.pool()));
        if (isPublished && Arrays.equals(EntryTree.root(read), ofChunks.get(chunk.number()))) {
            groupRoots.put(chunk, read);
        }
        return read;
    }

    private List<byte[]> readGroupRoots(Chunk chunk) {
        List<byte[]> leaves = frozen.leaves(chunk.pool().activityId(), chunk.firstEntry(), EntryTree.CHUNK);
        List<byte[]> roots = new ArrayList<>();
        for (int from = 0; from < leaves.size(); from += GROUP) {
            roots.add(EntryTree.root(leaves.subList(from, Math.min(from + GROUP, leaves.size()))));
        }
        return roots;
    }
}
