package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("SKU limits: no user has a SKU more often than one user can")
class SkuLimitInvariantTest extends CheckedHistory {

    private void limit(int max, String period) throws SQLException {
        history.event("activity:100", 4, "activity.edited", """
                {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z",\
                "endsAt":"2027-11-22T04:00:00Z","zone":"Asia/Shanghai","strategyId":7,"skus":[\
                {"sku":9001,"bundle":{"total":2,"month":2,"day":2},"perUser":{"max":%d,"period":"%s"}}]}}""".formatted(max, period));
    }

    private void take(long sequence, String number, String day) throws SQLException {
        history.event(AccountEvents.BOB, sequence, "account.limited-sku-taken", """
                {"activityId":100,"userId":"bob","rechargeId":"recharge:00-%s","sku":9001,"day":"%s"}""".formatted(number, day));
    }

    @Test
    @DisplayName("One a day is kept on two days, and violated by a second one on a day")
    void perDay() throws SQLException {
        limit(1, "DAY");
        take(3, "r3", "2026-12-01");
        take(4, "r4", "2026-12-02");
        assertThat(violated(IN_FLIGHT)).doesNotContainKey("sku-limits");
        take(5, "r5", "2026-12-02");
        assertThat(violated(IN_FLIGHT))
                .containsEntry(
                        "sku-limits",
                        "100/bob has SKU 9001 3 times at event 96, which no limit of it allows:"
                                + " [Limit[max=1, period=DAY]]");
    }

    @Test
    @DisplayName("One a month is violated by a second one in the month")
    void perMonth() throws SQLException {
        limit(1, "MONTH");
        take(3, "r3", "2026-11-30");
        take(4, "r4", "2026-12-01");
        assertThat(violated(IN_FLIGHT)).doesNotContainKey("sku-limits");
        take(5, "r5", "2026-12-31");
        assertThat(violated(IN_FLIGHT)).containsKey("sku-limits");
    }

    @Test
    @DisplayName("One recharge counts once")
    void countedTwice() throws SQLException {
        limit(2, "EVER");
        take(3, "r3", "2026-11-30");
        take(4, "r3", "2026-12-01");
        assertThat(violated(IN_FLIGHT)).containsEntry("sku-limits", "recharge:00-r3 is counted again at event 95");
    }
}
