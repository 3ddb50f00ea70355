package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Sign-ins: a user signs in once a day, and streaks are counted right")
class SignInInvariantTest extends CheckedHistory {

    private void sign(String day, int sequence, int streak, int inMonth) throws SQLException {
        String behaviour = "behaviour:33-" + day;
        history.event(behaviour, 0, "behaviour.reported", """
                {"behaviourId":"%s","userId":"ann","behaviour":"sign","outBusinessNo":"sign-in:%s",\
                "reportedAt":"2026-11-26T04:00:00Z","rebates":[]}""".formatted(behaviour, day));
        event(day, sequence, streak, inMonth, behaviour);
    }

    private void event(String day, int sequence, int streak, int inMonth, String behaviour) throws SQLException {
        history.event("sign-in:33:ann", sequence, "calendar.signed-in", """
                {"userId":"ann","day":"%s","streak":%d,"daysThisMonth":%d,"behaviourId":"%s"}""".formatted(day, streak, inMonth, behaviour));
    }

    private void row(String month, int days, int version) throws SQLException {
        history.sql("INSERT INTO view_sign_in VALUES ('ann', '%s', %d, %d, 0)".formatted(month, days, version));
    }

    @Test
    @DisplayName("Days in a row over the end of a month are no violation, and neither is a day that was missed")
    void sound() throws SQLException {
        sign("2028-02-28", 0, 1, 1);
        sign("2028-02-29", 1, 2, 2);
        sign("2028-03-01", 2, 3, 1);
        sign("2028-03-03", 3, 1, 2);
        row("2028-02-01", (1 << 27) | (1 << 28), 1);
        row("2028-03-01", 1 | (1 << 2), 3);
        assertThat(violated(AT_REST)).isEmpty();
        assertThat(verdict("sign-ins", AT_REST).checked()).isEqualTo(4);
        assertThat(verdict("I8 view_sign_in", AT_REST).checked()).isEqualTo(2);
    }

    @Test
    @DisplayName("A wrong bitmap is a violation")
    void bitmap() throws SQLException {
        sign("2026-12-01", 0, 1, 1);
        row("2026-12-01", 2, 0);
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_sign_in", "view_sign_in has days 2 for 2026-12-01/ann, the events make it 1"));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-01, 1, 1, ann signs in on 2026-12-01 at event 96 with a streak of 1 and 1 days",
        "2026-12-02, 2, 1, ann signs in on 2026-12-02 at event 96 with a streak of 2 and 1 days",
        "2026-12-01, 2, 2, ann signs in on 2026-12-01 at event 96 with a streak of 2 and 2 days",
    })
    @DisplayName("A streak or a count of days that is wrong is a violation")
    void streak(String day, int streak, int inMonth, String words) throws SQLException {
        sign("2026-11-30", 0, 1, 1);
        sign(day, 1, streak, inMonth);
        assertThat(violated(IN_FLIGHT).get("sign-ins")).startsWith(words);
    }

    @Test
    @DisplayName("A day that goes back is a violation")
    void back() throws SQLException {
        sign("2026-12-01", 0, 1, 1);
        sign("2026-11-30", 1, 1, 1);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("sign-ins", "ann signs in on 2026-11-30 at event 96, after 2026-12-01"));
    }

    @Test
    @DisplayName("A sign-in without its behaviour is a violation")
    void withoutBehaviour() throws SQLException {
        event("2026-12-01", 0, 1, 1, "behaviour:33-9");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "sign-ins", "the sign-in of ann on 2026-12-01 at event 93 has no behaviour in its commit"));
    }
}
