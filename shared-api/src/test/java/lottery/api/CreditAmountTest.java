package lottery.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import lottery.api.credit.CreditAmount;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An amount of credits")
class CreditAmountTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "30, 30",
        "-30, -30",
        "1.50, 1.5",
        "01.5, 1.5",
        "100, 100",
        "-0.000001, -0.000001",
        "999999999999.999999, 999999999999.999999"
    })
    @DisplayName("has one way to be written")
    void plain(String text, String plain) {
        assertThat(CreditAmount.of(text)).contains(new BigDecimal(plain));
        assertThat(CreditAmount.isPossible(new BigDecimal(text))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "0",
                "-0",
                "0.00",
                ".5",
                "5.",
                "+5",
                "1e3",
                "0x1",
                "1,5",
                " 1",
                "1\n",
                "٣",
                "1.0000000",
                "1000000000000",
                "--1",
                "ten"
            })
    @DisplayName("is refused in any other form")
    void malformed(String text) {
        assertThat(CreditAmount.of(text)).isEmpty();
    }
}
