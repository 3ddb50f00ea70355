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

@DisplayName("A shelf of 100, of which 60 are taken,")
class UnitSetTest {

    private final Random random = new Random(20261121);
    private final UnitSet shelf = new UnitSet();
    private final BitSet claims = new BitSet();

    @BeforeEach
    void sixtyTaken() {
        shelf.learn(new BitSet(), 100);
        for (int i = 0; i < 60; i++) {
            int slot = shelf.take(random).orElseThrow();
            shelf.ended(slot, true);
            claims.set(slot);
        }
    }

    @Test
    @DisplayName("gives the other 40, each once and within the total")
    void theRest() {
        for (int i = 0; i < 40; i++) {
            int slot = shelf.take(random).orElseThrow();
            assertThat(claims.get(slot)).isFalse();
            assertThat(slot).isBetween(1, 100);
            claims.set(slot);
        }
        assertThat(shelf.take(random)).isEmpty();
        assertThat(shelf.isEmpty()).isTrue();
    }

    @ParameterizedTest(name = "to {0}: {1} more")
    @CsvSource({"100, 40", "90, 30", "61, 1", "60, 0", "50, 0", "1, 0", "150, 90"})
    @DisplayName("gives no more than there are, whichever were taken, when its total changes")
    void totalChanges(int total, int more) {
        shelf.learn(claims, total);
        int given = 0;
        while (shelf.take(random).isPresent()) {
            given++;
        }
        assertThat(given).isEqualTo(more);
    }

    @Test
    @DisplayName("gives a slot that came back again, and keeps one that may have been claimed")
    void cameBack() {
        shelf.learn(claims, 61);
        int slot = shelf.take(random).orElseThrow();
        shelf.ended(slot, false);
        assertThat(shelf.take(random)).isEqualTo(OptionalInt.of(slot));
        shelf.ended(slot, true);
        assertThat(shelf.isEmpty()).isTrue();
        shelf.learn(claims, 61);
        assertThat(shelf.take(random)).isPresent();
    }

    @Test
    @DisplayName("forgets nothing that is under way when it looks at the claims")
    void underWay() {
        shelf.learn(claims, 61);
        assertThat(shelf.take(random)).isPresent();
        shelf.learn(claims, 61);
        assertThat(shelf.take(random)).isEmpty();
    }

    @Test
    @DisplayName("has no more than there are, however often a slot comes back while somebody takes it")
    void cameBackUnderWay() {
        shelf.learn(new BitSet(), 3);
        int slot = shelf.take(random).orElseThrow();
        shelf.cameBack(slot);
        shelf.ended(slot, false);
        shelf.ended(slot, true);
        assertThat(shelf.take(random)).isPresent();
        assertThat(shelf.take(random)).isPresent();
        assertThat(shelf.take(random)).isEmpty();
        assertThat(shelf.isEmpty()).isTrue();
    }
}
