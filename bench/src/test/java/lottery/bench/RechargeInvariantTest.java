package lottery.bench;

import static lottery.bench.RechargeEvents.LIMITED;
import static lottery.bench.RechargeEvents.UNLIMITED;
import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Once: a recharge adds its chances once")
class RechargeInvariantTest extends CheckedHistory {

    private void violatedOnly(String words) throws SQLException {
        assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("once", words));
    }

    @Test
    @DisplayName("A recharge that waits is no violation")
    void waits() throws SQLException {
        recharges.order("28-5", UNLIMITED);
        assertThat(violated(AT_REST)).isEmpty();
    }

    @Test
    @DisplayName("A second completion of a recharge is a violation")
    void completedTwice() throws SQLException {
        recharges.complete("28-3", 1, LIMITED);
        history.count("sku:200/9002", 3);
        violatedOnly("recharge:28-3 has recharge.completed at event 76 and again at event 93");
    }

    @Test
    @DisplayName("A completion after the recharge was closed is a violation")
    void completedAfterClosing() throws SQLException {
        recharges.order("28-5", UNLIMITED);
        recharges.close("28-5", 1);
        accounts.added(AccountEvents.CAT, 8, "28-5");
        recharges.complete("28-5", 2, UNLIMITED);
        violatedOnly("recharge:28-5 has recharge.completed at event 96 after recharge.closed at event 94");
    }

    @Test
    @DisplayName("Closing a completed recharge is a violation")
    void closedAfterCompletion() throws SQLException {
        recharges.close("28-3", 1);
        violatedOnly("recharge:28-3 has recharge.closed at event 93 after recharge.completed at event 76");
    }

    @Test
    @DisplayName("Chances that no recharge brought are a violation")
    void addedByNobody() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-5");
        violatedOnly("recharge:28-5 has account.recharged at event 93 and no recharge.completed");
    }

    @Test
    @DisplayName("Chances that come while the recharge waits are a violation")
    void addedTooEarly() throws SQLException {
        recharges.order("28-5", UNLIMITED);
        accounts.added(AccountEvents.CAT, 8, "28-5");
        violatedOnly("recharge:28-5 has account.recharged at event 94 and no recharge.completed");
    }

    @Test
    @DisplayName("A completed recharge without its chances is a violation")
    void notAdded() throws SQLException {
        recharges.complete("28-5", 0, UNLIMITED);
        violatedOnly("recharge:28-5 has recharge.completed at event 93 and no account.recharged");
    }

    @Test
    @DisplayName("Chances that come twice are a violation")
    void addedTwice() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-3");
        violatedOnly("recharge:28-3 has account.recharged at event 75 and again at event 93");
    }

    @Test
    @DisplayName("Chances that come in another commit are a violation")
    void addedInAnotherCommit() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-5");
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        recharges.complete("28-5", 0, UNLIMITED);
        violatedOnly(
                "recharge:28-5 has recharge.completed at event 96 and account.recharged at event 93, in another commit");
    }

    @Test
    @DisplayName("Other chances than the recharge promised are a violation")
    void otherChances() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-5");
        history.event("recharge:28-5", 0, "recharge.completed", """
                {"rechargeId":"recharge:28-5","activityId":200,"userId":"cat","sku":9003,"outBusinessNo":"b",\
                "bundle":{"total":3,"month":2,"day":2},"unitTaken":false}""");
        violatedOnly("recharge:28-5 has recharge.completed with 3/2/2 chances of 200/cat at event 94"
                + " and account.recharged with 2/2/2 chances of 200/cat at event 93");
    }

    @Test
    @DisplayName("A recharge that begins with its end is a violation")
    void beginsWithItsEnd() throws SQLException {
        recharges.close("28-5", 0);
        violatedOnly("recharge:28-5 begins with recharge.closed at event 93, which begins no recharge");
    }

    @Test
    @DisplayName("A business number that brings chances twice, as two recharges, is a violation")
    void numberTwice() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-5");
        history.event("recharge:28-5", 0, "recharge.completed", """
                {"rechargeId":"recharge:28-5","activityId":200,"userId":"cat","sku":9003,"outBusinessNo":"b-28-3",\
                "bundle":{"total":2,"month":2,"day":2},"unitTaken":false}""");
        violatedOnly("b-28-3 of cat is recharge:28-3, and at event 94 recharge:28-5");
    }

    @Test
    @DisplayName("An event in another recharge's stream is a violation")
    void otherStream() throws SQLException {
        recharges.order("28-5", UNLIMITED);
        history.event("recharge:28-3", 1, "recharge.closed", "{\"rechargeId\":\"recharge:28-5\",\"userId\":\"cat\"}");
        violatedOnly("recharge:28-5 has recharge.closed at event 94 in the stream of recharge:28-3");
    }
}
