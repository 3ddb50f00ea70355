package lottery.bench.invariant.readmodel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The name of a winner, as the checker expects it")
class WinnerReadModelFoldTest {

    @ParameterizedTest
    @CsvSource({
        "a, ***",
        "42, ***",
        "ann, a***",
        "欧阳娜娜, 欧***",
        "annika, a***a",
        "13812345678, 13***8",
        "user-0000000000000042, us***42",
        "ann.smith.berlin@example.com, an***in@***",
        "@ann, @***",
        "👩‍👩‍👧‍👦👍🏽é, 👩‍👩‍👧‍👦***",
        "\u202Eannika\u2066, a***a",
    })
    @DisplayName("The name of a winner shows a third of the characters at most")
    void masked(String userId, String masked) {
        assertThat(WinnerReadModelFold.masked(userId)).isEqualTo(masked);
    }
}
