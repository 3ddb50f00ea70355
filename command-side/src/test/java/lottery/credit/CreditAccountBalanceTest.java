package lottery.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEvent.CreditsBooked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The balance of a credit account")
class CreditAccountBalanceTest {

    private static final UserId ANN = new UserId("ann");
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456789Z");

    private static BookCredits booking(String amount) {
        return new BookCredits(ANN, new BigDecimal(amount), "no-1", "because");
    }

    private static CreditAccountBalance of(String credits, long entries) {
        return new CreditAccountBalance(new BigDecimal(credits), entries);
    }

    @Test
    @DisplayName("Each booking has its number, the balance after it, and a time to the microsecond.")
    void booked() {
        assertThat(of("8.8", 4).book(booking("-8.30"), NOON))
                .isEqualTo(Answer.done(new CreditsBooked(
                        ANN,
                        5,
                        new BigDecimal("-8.3"),
                        new BigDecimal("0.5"),
                        "no-1",
                        "because",
                        Instant.parse("2026-11-21T04:00:00.123456Z"))));
    }

    @ParameterizedTest(name = "{0} and {1} are {2}")
    @CsvSource({
        "0, 0.000001, 0.000001",
        "99.99, 0.01, 100",
        "0.1, 0.2, 0.3",
        "30, -30, 0",
        "30.5, -30.499999, 0.000001",
        "900000000000000, 999999999999.999999, 900999999999999.999999"
    })
    @DisplayName("A balance is exact, and written without trailing zeros.")
    void exact(String before, String amount, String after) {
        assertThat(of(before, 1).book(booking(amount), NOON).orThrow().balance())
                .isEqualTo(new BigDecimal(after));
    }

    @ParameterizedTest(name = "{0} and {1}")
    @CsvSource({"0, -0.000001", "30, -30.000001", "30, -31", "29.999999, -30"})
    @DisplayName("A balance never goes below zero.")
    void tooMuch(String before, String amount) {
        assertThat(of(before, 1).book(booking(amount), NOON))
                .isEqualTo(Answer.no(new Refused(Refusal.CREDITS_SHORT, "credit:33:ann (%s)".formatted(before))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0.0",
                "-0",
                "0.0000001",
                "1.0000000",
                "1000000000000",
                "1E+999999999",
                "1E-999999999",
                "0E9"
            })
    @DisplayName("An amount that is zero, too fine or too large is not booked.")
    void impossible(String amount) {
        assertThatIllegalArgumentException().isThrownBy(() -> booking(amount));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("A balance is the sum of its bookings, after any number of them.")
    void history(long seed) {
        Random random = new Random(seed);
        CreditAccountBalance balance = CreditAccountBalance.NONE;
        List<BigDecimal> made = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String amount = BigDecimal.valueOf(random.nextInt(1, 2_000) - 1_000L, random.nextInt(7))
                    .toPlainString();
            if (new BigDecimal(amount).signum() != 0
                    && balance.book(booking(amount), NOON)
                            instanceof Answer.Done<CreditsBooked>(CreditsBooked booked)) {
                balance = balance.evolve(booked);
                made.add(new BigDecimal(amount));
            }
            assertThat(balance.credits())
                    .isEqualByComparingTo(made.stream().reduce(BigDecimal.ZERO, BigDecimal::add))
                    .isNotNegative();
            assertThat(balance.entries()).isEqualTo(made.size());
        }
        assertThat(made).hasSizeBetween(100, 499);
    }
}
