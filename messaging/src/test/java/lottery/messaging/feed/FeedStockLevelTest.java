package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import lottery.messaging.feed.FeedStockLevel.StockStep;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The level of a stock")
class FeedStockLevelTest {

    private static FeedStockLevel full() {
        return new FeedStockLevel(new BitSet(), List.of());
    }

    /** Takes units in this order, each at the position of its place. */
    private static List<StockStep> steps(FeedStockLevel level, int total, List<Integer> units) {
        List<StockStep> steps = new ArrayList<>();
        for (int i = 0; i < units.size(); i++) {
            level.take(units.get(i), total, i).ifPresent(steps::add);
        }
        return steps;
    }

    private static List<Integer> shuffled(int total) {
        List<Integer> units =
                new ArrayList<>(IntStream.rangeClosed(1, total).boxed().toList());
        Collections.shuffle(units, new Random(7));
        return units;
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 100, 1_000, 12_345})
    @DisplayName("Each of the twenty steps is reached once, at the first win after which no more than that is left.")
    void each(int total) {
        List<StockStep> steps = steps(full(), total, shuffled(total));
        assertThat(steps)
                .extracting(StockStep::percent)
                .containsExactly(95, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45, 40, 35, 30, 25, 20, 15, 10, 5, 0);
        assertThat(steps).allSatisfy(step -> {
            assertThat(step.left() * 100L).isLessThanOrEqualTo((long) step.percent() * total);
            assertThat((step.left() + 1) * 100L).isGreaterThan((long) step.percent() * total);
        });
        assertThat(steps.getLast().isSoldOut()).isTrue();
    }

    @Test
    @DisplayName("A win that reaches several steps tells the lowest.")
    void small() {
        assertThat(steps(full(), 3, List.of(1, 2, 3)))
                .extracting(StockStep::percent, StockStep::left)
                .containsExactly(tuple(70, 2), tuple(35, 1), tuple(0, 0));
        assertThat(steps(full(), 1, List.of(1))).extracting(StockStep::percent).containsExactly(0);
    }

    @Test
    @DisplayName("Units that come back and are won again reach no step a second time.")
    void back() {
        FeedStockLevel level = full();
        assertThat(steps(level, 4, List.of(1, 2, 3, 4))).hasSize(4);
        level.giveBack(2);
        level.giveBack(3);
        assertThat(level.take(2, 4, 10)).isEmpty();
        assertThat(level.take(3, 4, 11)).isEmpty();
    }

    @Test
    @DisplayName("A win that comes again tells what it told, and counts once; after a restart as well.")
    void again() {
        FeedStockLevel level = full();
        List<StockStep> steps = steps(level, 4, List.of(1, 2, 3));
        FeedStockLevel known = new FeedStockLevel(BitSet.valueOf(level.taken()), level.fresh());
        assertThat(steps(known, 4, List.of(1, 2, 3))).isEqualTo(steps);
        assertThat(known.fresh()).isEmpty();
        assertThat(known.take(4, 4, 3))
                .hasValueSatisfying(step -> assertThat(step.isSoldOut()).isTrue());
    }

    @Test
    @DisplayName("An old win that comes again reaches no step, however much was taken since by another total.")
    void oldWin() {
        FeedStockLevel level = full();
        assertThat(level.take(1, 1_000, 1)).isEmpty();
        for (int unit = 2; unit <= 500; unit++) {
            var _ = level.take(unit, 2_000, unit);
        }
        assertThat(level.take(1, 1_000, 1)).isEmpty();
    }

    @Test
    @DisplayName("Another total has steps of its own, and units above it count.")
    void otherTotal() {
        FeedStockLevel level = full();
        assertThat(steps(level, 4, List.of(1, 2, 3, 4))).hasSize(4);
        assertThat(level.take(5, 8, 10)).hasValue(new StockStep(8, 40, 3, 10));
        assertThat(level.take(6, 4, 11)).isEmpty();
    }
}
