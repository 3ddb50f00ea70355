package lottery.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@DisplayName("The table of a pool with two full chunks and a third of ten entries")
@SpringBootTest
class FrozenPoolTableTest {

    private static final int CHUNK = EntryTree.CHUNK;
    private static final int ENTRIES = 2 * CHUNK + 10;
    private static final List<Integer> AROUND_THE_ENDS =
            List.of(1, 64, 65, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1, ENTRIES);

    @Autowired
    private FrozenPoolTable table;

    private final ActivityId activity = new ActivityId(1 + new Random().nextLong(1L << 40));
    private final List<byte[]> leaves = IntStream.rangeClosed(1, ENTRIES)
            .mapToObj(number -> EntryTree.leaf(activity, number, "order-" + number))
            .toList();

    @BeforeEach
    void storeLeaves() {
        for (int chunk = 0; chunk * CHUNK < ENTRIES; chunk++) {
            List<byte[]> some = leaves.subList(chunk * CHUNK, Math.min(ENTRIES, (chunk + 1) * CHUNK));
            ByteArrayOutputStream joined = new ByteArrayOutputStream();
            some.forEach(joined::writeBytes);
            table.storeLeaves(activity, chunk, joined.toByteArray(), EntryTree.root(some));
        }
    }

    @Test
    @DisplayName("proves each entry, in each of the chunks")
    void proves() {
        byte[] root = EntryTree.root(leaves);
        EntryProofs proofs = new EntryProofs(table);
        for (int entryNo : AROUND_THE_ENDS) {
            EntryProofs.ProvedLeaf proved = proofs.find(activity, HexFormat.of().formatHex(root), entryNo);
            assertThat(proved.leaf()).as("leaf %d", entryNo).isEqualTo(leaves.get(entryNo - 1));
            assertThat(EntryTree.climb(proved.leaf(), proved.path()))
                    .as("root from %d", entryNo)
                    .isEqualTo(root);
        }
    }

    @Test
    @DisplayName("reads the leaves of one chunk at most, and all of them one chunk after the other")
    void readsLeaves() {
        assertThat(table.leaves(activity, CHUNK - 1, 64)).containsExactlyElementsOf(leaves.subList(CHUNK - 2, CHUNK));
        assertThat(table.leaves(activity, 2 * CHUNK + 1, 64)).hasSize(10);
        assertThat(table.leaves(activity, ENTRIES + 1, 64)).isEmpty();
        List<Integer> sizes = new ArrayList<>();
        table.readLeaves(activity, chunk -> sizes.add(chunk.length / EntryTree.HASH));
        assertThat(sizes).containsExactly(CHUNK, CHUNK, 10);
    }

    @Test
    @DisplayName("knows the place of each entry and the entry at each place, across the chunks")
    void knowsOrder() {
        List<Integer> order =
                new ArrayList<>(IntStream.rangeClosed(1, ENTRIES).boxed().toList());
        Collections.shuffle(order, new Random(7));
        table.storeOrder(
                activity, "key", order.stream().mapToInt(Integer::intValue).toArray());
        for (int place : AROUND_THE_ENDS) {
            int entryNo = order.get(place - 1);
            assertThat(table.entryAt(activity, "key", place))
                    .as("entry at %d", place)
                    .isEqualTo(entryNo);
            assertThat(table.placeOf(activity, "key", entryNo))
                    .as("place of %d", entryNo)
                    .isEqualTo(place);
        }
        assertThat(table.entriesFrom(activity, "key", CHUNK - 4, 2 * CHUNK))
                .isEqualTo(order.subList(CHUNK - 5, ENTRIES).subList(0, Math.min(2 * CHUNK, ENTRIES - CHUNK + 5)));
        assertThat(table.entriesFrom(activity, "key", ENTRIES, 5)).containsExactly(order.getLast());
        assertThat(table.isOrderedBy(activity, "key")).isTrue();
        assertThat(table.isOrderedBy(activity, "another")).isFalse();
        assertThatThrownBy(() -> table.placeOf(activity, "another", 1)).isInstanceOf(IllegalStateException.class);
    }
}
