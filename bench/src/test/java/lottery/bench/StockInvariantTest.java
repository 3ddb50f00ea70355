package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("I1: no more is taken than there is")
class StockInvariantTest extends CheckedHistory {

    @Test
    @DisplayName("A unit beyond the stock violates I1")
    void violatedByAUnitBeyondTheStock() throws SQLException {
        history.sql("UPDATE claim SET key = '4' WHERE holder = 'order:00-2'");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("I1", "order:00-2 has unit 4 of stock:100/102, of which there were 3"));
    }

    @Test
    @DisplayName("A limited award without a unit violates I1")
    void violatedByALimitedAwardWithoutAUnit() throws SQLException {
        history.sql("DELETE FROM claim WHERE holder = 'order:00-2'");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("I1", "order:00-2 takes of stock:100/102 at event 23 and has no unit of it"));
    }

    private void violatedOnly(String words) throws SQLException {
        assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I1", words));
    }

    @Test
    @DisplayName("Another unit than the win says violates I1")
    void violatedByAnotherUnitThanTheWinSays() throws SQLException {
        history.sql("UPDATE claim SET key = '2' WHERE holder = 'order:00-2'");
        violatedOnly("order:00-2 has unit 2 of stock:100/102 and its event says unit 3");
    }

    @Test
    @DisplayName("A recharge that waits for its payment keeps I1 with its unit, and violates it without")
    void waitingRecharge() throws SQLException {
        recharges.order("28-5", 9002, 3);
        history.claim("sku:200/9002", 3, "recharge:28-5");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        history.release("recharge:28-5");
        violatedOnly("recharge:28-5 takes of sku:200/9002 at event 93 and has no unit of it");
    }

    @Test
    @DisplayName("A completed recharge that has lost its unit violates I1")
    void completedRecharge() throws SQLException {
        history.release("recharge:28-3");
        violatedOnly("recharge:28-3 takes of sku:200/9002 at event 76 and has no unit of it");
    }

    @Test
    @DisplayName("The unit of a closed recharge violates I1")
    void closedRecharge() throws SQLException {
        history.claim("sku:200/9002", 3, "recharge:28-2");
        violatedOnly("unit 3 of sku:200/9002 belongs to recharge:28-2, which has nothing of it");
    }

    @Test
    @DisplayName("A unit beyond the stock of a SKU violates I1")
    void skuOversold() throws SQLException {
        recharges.order("28-5", 9002, 4);
        history.claim("sku:200/9002", 4, "recharge:28-5");
        violatedOnly("recharge:28-5 has unit 4 of sku:200/9002, of which there were 3");
    }

    @Test
    @DisplayName("A recharge that is completed with another unit than it had before violates I1")
    void otherUnit() throws SQLException {
        recharges.order("28-5", 9002, 3);
        history.claim("sku:200/9002", 3, "recharge:28-5");
        accounts.added(AccountEvents.CAT, 8, "28-5");
        recharges.complete("28-5", 1, 9002, 2);
        violatedOnly("recharge:28-5 says unit 2 at event 95 and said unit 3 before");
    }

    @Test
    @DisplayName("A unit of a SKU without a limit violates I1")
    void unlimitedSku() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-5");
        recharges.complete("28-5", 0, 9003, 1);
        violatedOnly("recharge:28-5 has no unit of sku:200/9003 and its event says unit 1");
    }

    @Test
    @DisplayName("A unit that was taken before there was a limit, or of a larger limit, keeps I1")
    void limitsChange() throws SQLException {
        history.event("activity:200", 1, "activity.edited", """
                {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[\
                {"sku":9002,"bundle":{"total":2,"month":2,"day":2},"stock":1},\
                {"sku":9003,"bundle":{"total":2,"month":2,"day":2},"stock":1}]}}""");
        accounts.recharge(AccountEvents.CAT, 8, "cat", 1, 1, 1);
        accounts.spendOfCat(9, "28-5", "2026-12-01", 0);
        orders.drawOfCat(0, "28-5");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        accounts.added(AccountEvents.CAT, 10, "28-5");
        recharges.complete("28-5", 0, 9003, 0);
        violatedOnly("recharge:28-5 takes of sku:200/9003 at event 99 and has no unit of it");
    }

    @Test
    @DisplayName("More participations than there are violate I1")
    void tooManyParticipations() throws SQLException {
        history.sql("UPDATE claim SET key = '6' WHERE holder = 'order:28-4'");
        violatedOnly("order:28-4 has unit 6 of participations:200, of which there were 5");
    }

    @Test
    @DisplayName("A participation without a unit violates I1")
    void participationWithoutAUnit() throws SQLException {
        history.release("order:28-4");
        violatedOnly("order:28-4 takes of participations:200 at event 90 and has no unit of it");
    }

    @Test
    @DisplayName("The participation of an order whose chance was given back violates I1")
    void returnedParticipation() throws SQLException {
        history.claim("participations:200", 4, "order:28-2");
        violatedOnly("unit 4 of participations:200 belongs to order:28-2, which has nothing of it");
    }

    @Test
    @DisplayName("A participation that is lost when its chance makes good for an award violates I1")
    void remediedParticipation() throws SQLException {
        history.release("order:17-2");
        violatedOnly("order:17-2 takes of participations:300 at event 39 and has no unit of it");
    }

    @ParameterizedTest
    @CsvSource({"102,17-1", "102,17-2", "103,17-3"})
    @DisplayName("The unit of an award that was compensated or forfeited violates I1")
    void givenBack(int award, String key) throws SQLException {
        history.claim("stock:300/" + award, 3, "order:" + key);
        violatedOnly("unit 3 of stock:300/%d belongs to order:%s, which has nothing of it".formatted(award, key));
    }

    @ParameterizedTest
    @CsvSource({"102,17-5,57", "103,17-6,63"})
    @DisplayName("An award that was on the desk, or is not claimed, and has lost its unit violates I1")
    void lost(int award, String key, int drawn) throws SQLException {
        history.releaseUnit("order:" + key);
        violatedOnly(
                "order:%s takes of stock:300/%d at event %d and has no unit of it".formatted(key, award, drawn + 1));
    }

    @Test
    @DisplayName("An award that makes good for another one and has a unit violates I1")
    void substituteWithAUnit() throws SQLException {
        awards.winInsteadOf("award:00-2", "00-9", 100, "bob", 1);
        awards.answer("bob", "00-2", 3, "award.compensated", ",\"by\":\"SUBSTITUTE\",\"substitute\":\"award:00-9\"");
        history.release("order:00-2");
        violatedOnly("award:00-9 is won instead of award:00-2 at event 93 and says unit 1");
    }

    @Test
    @DisplayName("A unit that was not there yet when it was taken violates I1")
    void tooEarly() throws SQLException {
        recharges.order("28-5", 9002, 4);
        history.claim("sku:200/9002", 4, "recharge:28-5");
        history.event("activity:200", 1, "activity.edited", """
                {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"participationsMax":5,\
                "skus":[{"sku":9002,"bundle":{"total":2,"month":2,"day":2},"stock":9}]}}""");
        violatedOnly("recharge:28-5 has unit 4 of sku:200/9002, of which there were 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "-1", "1 ", "1.0", "0", "one", "1234567890"})
    @DisplayName("A unit of another name than its number violates I1")
    void otherName(String unit) throws SQLException {
        history.claim("participations:200", unit, "order:28-9");
        violatedOnly("order:28-9 has unit '%s' of participations:200, which is no number".formatted(unit));
    }

    @Test
    @DisplayName("Two holders of one unit violate the invariant of claims")
    void twoHolders() throws SQLException {
        history.sql("ALTER TABLE claim DROP CONSTRAINT claim_name");
        try {
            history.sql("UPDATE claim SET key = '2' WHERE holder = 'order:28-4'");
            assertThat(violated(IN_FLIGHT))
                    .containsEntry("claims", "2 of participations:200 belongs to order:28-3 and to order:28-4");
        } finally {
            history.clear();
            history.sql("ALTER TABLE claim ADD CONSTRAINT claim_name PRIMARY KEY (scope, key)");
        }
    }

    @Test
    @DisplayName("Two units of one holder violate I1")
    void twoUnits() throws SQLException {
        history.claim("participations:200", 4, "order:28-4");
        violatedOnly("order:28-4 has unit 3 of participations:200 and unit 4 of participations:200");
    }

    @Test
    @DisplayName("A unit of somebody who won something else violates I1")
    void violatedByAUnitOfWhoWonSomethingElse() throws SQLException {
        history.sql("INSERT INTO claim VALUES ('stock:100/102', '1', 'order:33-1', 8)");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(
                        Map.entry("I1", "unit 1 of stock:100/102 belongs to order:33-1, which has nothing of it"));
    }
}
