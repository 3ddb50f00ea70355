package lottery.signin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import lottery.api.UserId;
import lottery.api.signin.SignInEvent.UserSignedIn;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The sign-ins of a user")
class SignInProgressTest {

    private static final UserId ANN = new UserId("ann");

    private static SignInProgress signed(String... days) {
        SignInProgress signed = SignInProgress.NONE;
        for (String day : days) {
            signed = signed.after(signed.sign(ANN, LocalDate.parse(day)));
        }
        return signed;
    }

    private static UserSignedIn last(SignInProgress days) {
        return requireNonNull(days.last());
    }

    @Test
    @DisplayName("A streak grows with each day in a row, and begins again after a day that was missed.")
    void streaks() {
        UserSignedIn third = last(signed("2026-11-03", "2026-11-04", "2026-11-05"));
        assertThat(third.streak()).isEqualTo(3);
        assertThat(third.daysThisMonth()).isEqualTo(3);
        UserSignedIn later = last(signed("2026-11-03", "2026-11-04", "2026-11-06"));
        assertThat(later.streak()).isEqualTo(1);
        assertThat(later.daysThisMonth()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-30, 2026-12-01, 2",
        "2026-12-31, 2027-01-01, 2",
        "2028-02-29, 2028-03-01, 2",
        "2027-02-28, 2027-03-01, 2",
        "2028-02-28, 2028-03-01, 1",
        "2026-11-29, 2026-12-01, 1",
        "2026-11-30, 2026-12-02, 1",
    })
    @DisplayName("A streak goes on over the end of a month, of a year and of a leap February, if no day was missed.")
    void overTheEnd(String last, String first, int streak) {
        UserSignedIn next = last(signed(last, first));
        assertThat(next.streak()).isEqualTo(streak);
        assertThat(next.daysThisMonth()).isEqualTo(1);
    }

    @Test
    @DisplayName("A leap day is a day like any other.")
    void leapDay() {
        UserSignedIn leap = last(signed("2028-02-27", "2028-02-28", "2028-02-29"));
        assertThat(leap.streak()).isEqualTo(3);
    }

    @Test
    @DisplayName("The same day, and a day before by a slow clock, is the sign-in that is known.")
    void known() {
        SignInProgress days = signed("2026-11-03", "2026-11-04");
        assertThat(days.known(LocalDate.parse("2026-11-04")))
                .hasValueSatisfying(known -> assertThat(known.isNew()).isFalse());
        assertThat(days.known(LocalDate.parse("2026-11-03")))
                .hasValueSatisfying(known -> assertThat(known.day()).isEqualTo("2026-11-04"));
        assertThat(days.known(LocalDate.parse("2026-11-05"))).isEmpty();
    }
}
