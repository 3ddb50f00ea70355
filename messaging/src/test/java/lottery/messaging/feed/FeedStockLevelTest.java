package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import lottery.messaging.feed.FeedStockLevel.StockStep;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The level of a stock")
class FeedStockLevelTest {

    private static FeedStockLevel full() {
        return new FeedStockLevel(0, Map.of());
    }

    /** Takes this number of units one after the other. */
    private static List<StockStep> steps(FeedStockLevel level, int total, int units) {
        List<StockStep> steps = new ArrayList<>();
        for (int i = 0; i < units; i++) {
            level.take(1, total).ifPresent(steps::add);
        }
        return steps;
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 100, 1_000, 12_345})
    @DisplayName("Each of the twenty steps is reached once, at the first win after which no more than that is left.")
    void each(int total) {
        List<StockStep> steps = steps(full(), total, total);
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
        assertThat(steps(full(), 3, 3))
                .extracting(StockStep::percent, StockStep::left)
                .containsExactly(tuple(70, 2L), tuple(35, 1L), tuple(0, 0L));
        assertThat(steps(full(), 1, 1)).extracting(StockStep::percent).containsExactly(0);
    }

    @Test
    @DisplayName("Units that come back and are won again reach no step a second time, after a restart as well.")
    void back() {
        FeedStockLevel level = full();
        assertThat(steps(level, 4, 4)).hasSize(4);
        level.giveBack(1);
        level.giveBack(1);
        FeedStockLevel stored = new FeedStockLevel(level.taken(), level.fresh());
        assertThat(steps(stored, 4, 2)).isEmpty();
        assertThat(stored.fresh()).isEmpty();
        assertThat(stored.taken()).isEqualTo(4L);
    }

    @Test
    @DisplayName("Another total has steps of its own, and all taken units count.")
    void otherTotal() {
        FeedStockLevel level = full();
        assertThat(steps(level, 4, 4)).hasSize(4);
        assertThat(level.take(1, 8)).hasValue(new StockStep(8, 40, 3));
        assertThat(level.take(1, 4)).isEmpty();
        assertThat(level.fresh()).isEqualTo(Map.of(4L, 0, 8L, 40));
    }
}
