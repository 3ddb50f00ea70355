package lottery.view.winners;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A masked user id")
class UserIdMaskTest {

    @ParameterizedTest
    @CsvSource({
        // Nothing is shown of a short id.
        "a, ***",
        "42, ***",
        "张三, ***",
        "ann, a***",
        "欧阳娜娜, 欧***",
        "annika, a***a",
        // A phone number can be guessed if all but a few digits are known.
        "13812345678, 13***8",
        "+8613812345678, +8***78",
        "user-0000000000000042, us***42",
        "ann@example.com, a***@***",
        "a@b, ***@***",
        "ann.smith.berlin@example.com, an***in@***",
        "@ann, @***",
        "ann@, a***@***",
        "👍, ***",
        "👩‍👩‍👧‍👦👍🏽é, 👩‍👩‍👧‍👦***",
        "𠮷野家𠮷野家, 𠮷***家",
    })
    @DisplayName("The mask shows a third at most, between whole characters.")
    void shown(String userId, String masked) {
        assertThat(UserIdMask.of(userId)).isEqualTo(masked);
    }

    @Test
    @DisplayName("The mask removes invisible characters that change the direction of text.")
    void unseen() {
        assertThat(UserIdMask.of("\u202Eannika\u2066")).isEqualTo("a***a");
    }

    @Test
    @DisplayName("The mask never shows half of a character, whatever the id consists of.")
    void whole() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            StringBuilder id = new StringBuilder();
            int length = 1 + random.nextInt(20);
            for (int j = 0; j < length; j++) {
                id.appendCodePoint(random.nextBoolean() ? 'a' + random.nextInt(26) : 0x1F600 + random.nextInt(70));
            }
            String masked = UserIdMask.of(id.toString());
            assertThat(new String(masked.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(masked);
            assertThat((masked.codePointCount(0, masked.length()) - 3) * 3).isLessThanOrEqualTo(length);
        }
    }
}
