package lottery.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The tree over the entries of a pool")
class EntryTreeTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);

    private static List<byte[]> leaves(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> EntryTree.leaf(ACTIVITY, number, "order:33-" + number))
                .toList();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13})
    @DisplayName("leads from each leaf to its root, and from another leaf to another one")
    void paths(int count) {
        List<byte[]> leaves = leaves(count);
        String root = hex(EntryTree.root(leaves));
        for (int i = 0; i < count; i++) {
            assertThat(hex(EntryTree.climb(leaves.get(i), EntryTree.path(leaves, i))))
                    .isEqualTo(root);
            byte[] foreign = EntryTree.leaf(ACTIVITY, i + 1, "order:33-foreign");
            assertThat(hex(EntryTree.climb(foreign, EntryTree.path(leaves, i)))).isNotEqualTo(root);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {EntryTree.CHUNK, EntryTree.CHUNK + 1, 3 * EntryTree.CHUNK + 77})
    @DisplayName("has the same root over the roots of its chunks")
    void chunks(int count) {
        List<byte[]> leaves = leaves(count);
        List<byte[]> roots = new ArrayList<>();
        for (int from = 0; from < count; from += EntryTree.CHUNK) {
            roots.add(EntryTree.root(leaves.subList(from, Math.min(count, from + EntryTree.CHUNK))));
        }
        assertThat(hex(EntryTree.root(roots))).isEqualTo(hex(EntryTree.root(leaves)));
    }

    @Test
    @DisplayName("is the one that the documentation defines")
    void defined() {
        assertThat(hex(EntryTree.root(List.of())))
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assertThat(hex(EntryTree.root(leaves(3))))
                .isEqualTo("73849d1981ea19992a57005ceb572fecf4899aa0a6e1a8b90fb5ddb8fb6b10ae");
    }
}
