package lottery.bench;

import static lottery.bench.AwardEvents.AT_ONCE;
import static lottery.bench.AwardEvents.CINEMA;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import lottery.bench.invariant.InvariantVerdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Dan's two seats in the cinema cost 106.25 each. */
@DisplayName("No budget is exceeded")
class BudgetInvariantTest extends CheckedHistory {

    private static final String SEATS = share("106.25");

    private static String share(String amount) {
        return ",\"budgetShare\":{\"amount\":\"%s\",\"of\":\"300\",\"day\":\"2026-12-01\"}".formatted(amount);
    }

    @BeforeEach
    void addBudget() throws SQLException {
        history.event("activity:400", 0, "activity.created", """
                {"activityId":400,"definition":{"name":"Dear","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[],\
                "budget":{"amount":"300","perDay":"220","onReached":"FALLBACK"}}}""");
    }

    private void win(String key, String share) throws SQLException {
        orders.draw("order:" + key, 0, 400, "dan", key, "WON", CINEMA);
        awards.win(0, 400, "dan", key, CINEMA, true, AT_ONCE, share);
    }

    private void count(long whole, long day) throws SQLException {
        history.sql(
                "INSERT INTO counter VALUES ('budget:400', %d, 1000000000), ('budget:400/2026-12-01', %d, 1000000000)"
                        .formatted(whole, day));
    }

    private static InvariantVerdict budgets() throws SQLException {
        return verdict("budgets", IN_FLIGHT);
    }

    @Test
    @DisplayName("A win takes its cost, and gives it back when it is compensated, but for its substitute.")
    void sound() throws SQLException {
        win("17-a", SEATS);
        win("17-b", SEATS);
        awards.answer("dan", "17-b", 1, "award.voided", ",\"activityId\":400,\"reason\":\"bought\"");
        win("17-c", SEATS);
        awards.win(
                0,
                400,
                "dan",
                "17-d",
                AwardEvents.COFFEE,
                false,
                AT_ONCE,
                share("6.25") + ",\"insteadOf\":\"award:17-c\"");
        awards.answer("dan", "17-c", 1, "award.compensated", ",\"by\":\"SUBSTITUTE\",\"substitute\":\"award:17-d\"");
        count(112_500_000, 112_500_000);
        assertThat(budgets().first()).isEmpty();
        assertThat(budgets().checked()).isGreaterThan(8);
    }

    @Test
    @DisplayName("A budget of a day that is exceeded is found.")
    void exceeded() throws SQLException {
        win("17-a", SEATS);
        win("17-b", SEATS);
        win("17-c", SEATS);
        count(318_750_000, 318_750_000);
        assertThat(budgets().violated()).isEqualTo(2);
        assertThat(budgets().first()).startsWith("budget:400 is spent up to 318.75 of 300");
    }

    @Test
    @DisplayName("A win that takes nothing or too little is found.")
    void notTaken() throws SQLException {
        win("17-a", "");
        win("17-b", share("100"));
        count(100_000_000, 100_000_000);
        assertThat(budgets().violated()).isEqualTo(2);
        assertThat(budgets().first()).startsWith("award:17-a costs 106.250, and takes 0 of the budget");
    }

    @Test
    @DisplayName("A counter that is not the sum of the wins is found.")
    void notCounted() throws SQLException {
        win("17-a", SEATS);
        count(106_250_000, 0);
        assertThat(budgets().first())
                .isEqualTo("counter budget:400/2026-12-01 has taken 0.000000, the events make it 106.25");
    }

    @Test
    @DisplayName("A substitute that costs more than the award that it replaces is found.")
    void dearSubstitute() throws SQLException {
        win("17-a", SEATS);
        awards.win(
                0,
                400,
                "dan",
                "17-d",
                AwardEvents.COFFEE,
                false,
                AT_ONCE,
                share("200") + ",\"insteadOf\":\"award:17-a\"");
        count(106_250_000, 106_250_000);
        assertThat(budgets().first()).startsWith("award:17-d is paid from award:17-a");
    }

    @Test
    @DisplayName("A draw that could not win the most expensive award is found, if the budget pauses draws.")
    void noRoom() throws SQLException {
        history.event("activity:400", 1, "activity.edited", """
                {"activityId":400,"definition":{"name":"Dear","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[],"budget":{"amount":"110","onReached":"PAUSE"}}}""");
        win("17-a", SEATS);
        orders.draw("order:17-b", 0, 400, "dan", "17-b", "NOTHING", 0);
        count(106_250_000, 106_250_000);
        assertThat(budgets().first()).startsWith("order:17-b is drawn at event").contains("106.25 spent of 110");
    }
}
