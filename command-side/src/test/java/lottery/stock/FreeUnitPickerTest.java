package lottery.stock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A stock of 100 with 60 taken units")
class FreeUnitPickerTest {

    private final Random random = new Random(20261121);
    private final FreeUnitPicker stock = new FreeUnitPicker();
    private final BitSet claims = new BitSet();

    @BeforeEach
    void sixtyTaken() {
        stock.reload(new BitSet(), 100);
        for (int i = 0; i < 60; i++) {
            int unit = stock.take(random).orElseThrow();
            stock.ended(unit, true);
            claims.set(unit);
        }
    }

    @Test
    @DisplayName("The other 40 units are given, each once and within the total.")
    void theRest() {
        for (int i = 0; i < 40; i++) {
            int unit = stock.take(random).orElseThrow();
            assertThat(claims.get(unit)).isFalse();
            assertThat(unit).isBetween(1, 100);
            claims.set(unit);
        }
        assertThat(stock.take(random)).isEmpty();
        assertThat(stock.isEmpty()).isTrue();
    }

    @ParameterizedTest(name = "to {0}: {1} more")
    @CsvSource({"100, 40", "90, 30", "61, 1", "60, 0", "50, 0", "1, 0", "150, 90"})
    @DisplayName("After a change of the total no more units are given than there are, whichever were taken.")
    void totalChanges(int total, int more) {
        stock.reload(claims, total);
        int given = 0;
        while (stock.take(random).isPresent()) {
            given++;
        }
        assertThat(given).isEqualTo(more);
    }

    @Test
    @DisplayName("A unit that came back is given again, and one that may have been claimed is kept.")
    void giveBack() {
        stock.reload(claims, 61);
        int unit = stock.take(random).orElseThrow();
        stock.ended(unit, false);
        assertThat(stock.take(random)).isEqualTo(OptionalInt.of(unit));
        stock.ended(unit, true);
        assertThat(stock.isEmpty()).isTrue();
        stock.reload(claims, 61);
        assertThat(stock.take(random)).isPresent();
    }

    @Test
    @DisplayName("A check of the claims forgets no unit whose commit is in progress.")
    void underWay() {
        stock.reload(claims, 61);
        assertThat(stock.take(random)).isPresent();
        stock.reload(claims, 61);
        assertThat(stock.take(random)).isEmpty();
    }

    @Test
    @DisplayName("There are no more units than the total, however often one comes back while it is taken.")
    void cameBackUnderWay() {
        stock.reload(new BitSet(), 3);
        int unit = stock.take(random).orElseThrow();
        stock.giveBack(unit);
        stock.ended(unit, false);
        stock.ended(unit, true);
        assertThat(stock.take(random)).isPresent();
        assertThat(stock.take(random)).isPresent();
        assertThat(stock.take(random)).isEmpty();
        assertThat(stock.isEmpty()).isTrue();
    }
}
