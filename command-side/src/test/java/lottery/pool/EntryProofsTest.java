package lottery.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityId;
import lottery.pool.EntryProofs.ProvedLeaf;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The proof of an entry")
class EntryProofsTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);

    /** The leaves of one pool, in chunks, with a count of those that were read. */
    private static final class LeavesInMemory implements FrozenLeafReader {

        private final List<byte[]> all;
        private final AtomicInteger read = new AtomicInteger();

        LeavesInMemory(int entries) {
            all = IntStream.rangeClosed(1, entries)
                    .mapToObj(number -> EntryTree.leaf(ACTIVITY, number, "order:33-" + number))
                    .collect(Collectors.toCollection(ArrayList::new));
        }

        @Override
        public List<byte[]> leaves(ActivityId activityId, int entryNo, int max) {
            int chunkEnd = (entryNo - 1) / EntryTree.CHUNK * EntryTree.CHUNK + EntryTree.CHUNK;
            List<byte[]> some = all.subList(entryNo - 1, Math.min(all.size(), Math.min(chunkEnd, entryNo - 1 + max)));
            read.addAndGet(some.size());
            return some;
        }

        @Override
        public List<byte[]> roots(ActivityId activityId) {
            List<byte[]> roots = new ArrayList<>();
            for (int from = 0; from < all.size(); from += EntryTree.CHUNK) {
                roots.add(EntryTree.root(all.subList(from, Math.min(all.size(), from + EntryTree.CHUNK))));
            }
            return roots;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 130, EntryTree.CHUNK - 1, EntryTree.CHUNK, EntryTree.CHUNK + 1, 9_000})
    @DisplayName("leads from the entry to the root over all entries")
    void leadsToRoot(int entries) {
        LeavesInMemory frozen = new LeavesInMemory(entries);
        EntryProofs proofs = new EntryProofs(frozen);
        byte[] root = EntryTree.root(frozen.all);
        for (int entryNo = 1; entryNo <= entries; entryNo += 1 + entries / 150) {
            requireLeadsTo(root, proofs, frozen, entryNo);
        }
        requireLeadsTo(root, proofs, frozen, entries);
    }

    private static void requireLeadsTo(byte[] root, EntryProofs proofs, LeavesInMemory frozen, int entryNo) {
        ProvedLeaf proved = proofs.find(ACTIVITY, hex(root), entryNo);
        assertThat(proved.leaf()).as("leaf %d", entryNo).isEqualTo(frozen.all.get(entryNo - 1));
        assertThat(EntryTree.climb(proved.leaf(), proved.path()))
                .as("entry %d", entryNo)
                .isEqualTo(root);
    }

    @Test
    @DisplayName("reads a group of leaves once the chunk is known")
    void readsGroup() {
        LeavesInMemory frozen = new LeavesInMemory(EntryTree.CHUNK);
        EntryProofs proofs = new EntryProofs(frozen);
        String root = hex(EntryTree.root(frozen.all));
        proofs.find(ACTIVITY, root, 1);
        frozen.read.set(0);
        proofs.find(ACTIVITY, root, 4_000);
        assertThat(frozen.read).hasValue(EntryProofs.GROUP);
    }

    @Test
    @DisplayName("keeps nothing that does not lead to the published root")
    void keepsOnlyRight() {
        LeavesInMemory frozen = new LeavesInMemory(5_000);
        EntryProofs proofs = new EntryProofs(frozen);
        String root = hex(EntryTree.root(frozen.all));
        byte[] right = frozen.all.set(4_500, new byte[EntryTree.HASH]);
        proofs.find(ACTIVITY, root, 4_400);
        frozen.all.set(4_500, right);
        requireLeadsTo(EntryTree.root(frozen.all), proofs, frozen, 4_400);
    }

    private static String hex(byte[] hash) {
        return HexFormat.of().formatHex(hash);
    }
}
