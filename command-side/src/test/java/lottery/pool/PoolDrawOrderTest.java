package lottery.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The order of the entries of a pool")
class PoolDrawOrderTest {

    private static final PoolShuffleKey KEY = new PoolShuffleKey("0123456789abcdef".repeat(4));

    private static byte[] leaf(int entryNo) {
        return EntryTree.leaf(new ActivityId(100), entryNo, "order:33-" + entryNo);
    }

    private static List<Integer> order(int entries) {
        PoolDrawOrder order = new PoolDrawOrder(entries, KEY);
        IntStream.rangeClosed(1, entries).forEach(entryNo -> order.add(leaf(entryNo), 0));
        return Arrays.stream(order.sorted()).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 1_000, 4_097})
    @DisplayName("is the order of their lots as unsigned bytes")
    void byLots(int entries) {
        List<Integer> expected = IntStream.rangeClosed(1, entries)
                .boxed()
                .sorted(Comparator.comparing(
                        entryNo -> HexFormat.of().formatHex(KEY.lots().doFinal(leaf(entryNo)))))
                .toList();
        assertThat(order(entries)).isEqualTo(expected);
    }

    @Test
    @DisplayName("puts the lower number first where lots are equal")
    void ties() {
        PoolDrawOrder order = new PoolDrawOrder(3, KEY);
        order.add(leaf(1), 0);
        order.add(leaf(1), 0);
        order.add(leaf(1), 0);
        assertThat(order.sorted()).containsExactly(1, 2, 3);
    }

    @Test
    @DisplayName("gives each entry each place equally often, over many keys")
    void uniform() {
        int[] first = new int[4];
        for (int key = 0; key < 4_000; key++) {
            PoolDrawOrder order = new PoolDrawOrder(4, new PoolShuffleKey("%064x".formatted(key)));
            IntStream.rangeClosed(1, 4).forEach(entryNo -> order.add(leaf(entryNo), 0));
            first[order.sorted()[0] - 1]++;
        }
        // Five standard deviations of 1,000 out of 4,000.
        assertThat(Arrays.stream(first)).allMatch(count -> Math.abs(count - 1_000) < 137);
    }
}
