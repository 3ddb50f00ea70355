package lottery.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import lottery.api.strategy.ClaimDays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The days in which an award can be claimed")
class ClaimDaysTest {

    @Test
    @DisplayName("are 30 if the config has no number")
    void usual() {
        assertThat(ClaimDays.areFit(Map.of())).isTrue();
        assertThat(ClaimDays.of(Map.of())).isEqualTo(30);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"1, 1", "7, 7", "007, 7", "3650, 3650"})
    @DisplayName("are as many as the config says")
    void said(String text, int days) {
        assertThat(ClaimDays.areFit(Map.of("claimDays", text))).isTrue();
        assertThat(ClaimDays.of(Map.of("claimDays", text))).isEqualTo(days);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", " 7", "7.5", "-1", "٧", "1000000000", "0", "3651", "999999999"})
    @DisplayName("are unfit otherwise")
    void unfit(String text) {
        assertThat(ClaimDays.areFit(Map.of("claimDays", text))).isFalse();
    }
}
