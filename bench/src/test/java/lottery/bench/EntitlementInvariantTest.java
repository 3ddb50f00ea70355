package lottery.bench;

import static lottery.bench.RechargeEvents.UNLIMITED;
import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Entitlements: content is granted once for each source, and revoked by its refund")
class EntitlementInvariantTest extends CheckedHistory {

    private static final String INVARIANT = "entitlements";

    private static final String TRADE = ",\"trade\":{\"provider\":\"simulator\",\"tradeNo\":\"t1\"}";

    private static final String RECHARGE = """
            {"rechargeId":"recharge:28-6","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"payment:28-9",\
            "bundle":%s,"unitTaken":false%%s}""".formatted(UNLIMITED, AccountEvents.TWO);

    private long payment;
    private long entitlement;

    private void complete() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-6");
        history.event("recharge:28-6", 0, "recharge.completed", RECHARGE.formatted(",\"entitlement\":\"course\""));
    }

    private void change(String what, String source, String flag) throws SQLException {
        history.event("entitlement:28-7", entitlement++, "entitlement." + what, """
                {"userId":"cat","contentId":"course","source":"%s",%s}""".formatted(source, flag));
    }

    private void grant() throws SQLException {
        change("granted", "recharge:28-6", "\"first\":true");
    }

    private void revoke() throws SQLException {
        change("revoked", "recharge:28-6", "\"last\":true");
    }

    private void pay(String what, String fields) throws SQLException {
        history.event("payment:28-9", payment++, "payment." + what, """
                {"paymentId":"payment:28-9","userId":"cat"%s}""".formatted(fields));
    }

    private void order() throws SQLException {
        pay("ordered", ",\"activityId\":200,\"sku\":9003,\"price\":{\"amount\":\"9.90\",\"currency\":\"CNY\"}");
        pay(
                "money-taken",
                TRADE + ",\"takenAt\":\"2026-11-30T04:00:01Z\",\"money\":{\"amount\":\"9.90\",\"currency\":\"CNY\"}");
    }

    private void refund() throws SQLException {
        pay("refund-ordered", TRADE + ",\"reason\":\"ORDERED_BY_DESK\"");
    }

    private void assertViolated(String words) throws SQLException {
        assertThat(violated(IN_FLIGHT))
                .hasEntrySatisfying(INVARIANT, found -> assertThat(found).contains(words));
    }

    @Test
    @DisplayName("Content that is granted with its recharge and revoked with its refund is no violation.")
    void sound() throws SQLException {
        order();
        complete();
        grant();
        pay("delivered", TRADE);
        refund();
        revoke();
        assertThat(violated(IN_FLIGHT)).doesNotContainKey(INVARIANT);
    }

    @Test
    @DisplayName("A refund that is ordered again after the desk takes nothing back again, and that is no violation.")
    void refundedAgain() throws SQLException {
        order();
        complete();
        grant();
        pay("delivered", TRADE);
        refund();
        revoke();
        pay("left-to-desk", TRADE);
        refund();
        assertThat(violated(IN_FLIGHT)).doesNotContainKey(INVARIANT);
    }

    @Test
    @DisplayName("A won entitlement is one more source, and keeps the content, which is no violation.")
    void awardKeeps() throws SQLException {
        order();
        complete();
        grant();
        pay("delivered", TRADE);
        win();
        change("granted", "award:28-4", "\"first\":false");
        grantAward();
        refund();
        change("revoked", "recharge:28-6", "\"last\":false");
        assertThat(violated(IN_FLIGHT)).doesNotContainKey(INVARIANT);
    }

    private void win() throws SQLException {
        history.event("award:28-4", 0, "award.won", """
                {"awardRecordId":"award:28-4","activityId":200,"userId":"cat","award":{"awardId":1,"title":"Course",\
                "type":"ENTITLEMENT","sort":1},"config":{"contentId":"course"}}""");
    }

    private void grantAward() throws SQLException {
        history.event("award:28-4", 1, "award.granted", """
                {"awardRecordId":"award:28-4","userId":"cat","reference":"entitlement:1"}""");
    }

    @Test
    @DisplayName("A recharge that is completed without the content of its order is a violation.")
    void contentDropped() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-6");
        history.event("recharge:28-6", 0, "recharge.ordered", RECHARGE.formatted(",\"entitlement\":\"course\""));
        history.event("recharge:28-6", 1, "recharge.completed", RECHARGE.formatted(""));
        assertViolated("was ordered with the content \"course\"");
    }

    @Test
    @DisplayName("The read model is compared: a missing row, a wrong time, and a row that should be gone.")
    void readModel() throws SQLException {
        complete();
        grant();
        assertThat(violated(AT_REST))
                .containsEntry("I8 view_entitlement", "view_entitlement has no row for cat#course");
        history.sql("INSERT INTO view_entitlement SELECT 'cat', 'course', position, at, position FROM event"
                + " WHERE type = 'entitlement.granted'");
        assertThat(violated(AT_REST)).doesNotContainKey("I8 view_entitlement");
        history.sql("UPDATE view_entitlement SET granted_at = granted_at + interval '1 s'");
        assertThat(violated(IN_FLIGHT)).containsKey("I8 view_entitlement");
        history.sql("UPDATE view_entitlement SET granted_at = granted_at - interval '1 s'");
        revoke();
        assertThat(violated(AT_REST))
                .hasEntrySatisfying(
                        "I8 view_entitlement", words -> assertThat(words).contains("still has a row"));
    }

    @Test
    @DisplayName("A recharge without its content is a violation.")
    void notGranted() throws SQLException {
        complete();
        assertViolated("is not granted in the commit");
    }

    @Test
    @DisplayName("Content that no recharge or award gives is a violation.")
    void nothingGives() throws SQLException {
        change("granted", "recharge:28-5", "\"first\":true");
        assertViolated("which is not due from it");
    }

    @Test
    @DisplayName("Content that is granted twice by one recharge is a violation.")
    void twice() throws SQLException {
        complete();
        grant();
        change("granted", "recharge:28-6", "\"first\":false");
        assertViolated("which is not due from it");
    }

    @Test
    @DisplayName("A first grant that says it is none is a violation.")
    void wrongFlag() throws SQLException {
        complete();
        change("granted", "recharge:28-6", "\"first\":false");
        assertViolated("whether it is the first grant");
    }

    @Test
    @DisplayName("A refund that leaves the content is a violation.")
    void notRevoked() throws SQLException {
        order();
        complete();
        grant();
        pay("delivered", TRADE);
        refund();
        assertViolated("is not revoked in the commit");
    }

    @Test
    @DisplayName("Content that is taken without a refund is a violation.")
    void takenAlone() throws SQLException {
        complete();
        grant();
        revoke();
        assertViolated("is not given back in the commit");
    }

    @Test
    @DisplayName("An award with content is a violation if it is granted without it.")
    void awardWithoutContent() throws SQLException {
        win();
        grantAward();
        assertViolated("award:28-4: its content is not granted in the commit");
    }
}
