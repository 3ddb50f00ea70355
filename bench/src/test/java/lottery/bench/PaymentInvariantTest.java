package lottery.bench;

import static lottery.bench.RechargeEvents.UNLIMITED;
import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Payments: money buys its goods once, or is given back, or is on the desk")
class PaymentInvariantTest extends CheckedHistory {

    private static final String INVARIANT = "payments";

    private static final String REASON = ",\"reason\":\"PAID_TWICE\"";

    private long sequence;

    private void event(String what, String fields) throws SQLException {
        history.event("payment:28-9", sequence++, "payment." + what, """
                {"paymentId":"payment:28-9","userId":"cat"%s}""".formatted(fields));
    }

    private void order() throws SQLException {
        event("ordered", ",\"activityId\":200,\"sku\":9003,\"price\":{\"amount\":\"9.90\",\"currency\":\"CNY\"}");
    }

    private static String trade(int number) {
        return ",\"trade\":{\"provider\":\"simulator\",\"tradeNo\":\"t%d\"}".formatted(number);
    }

    private void take(int number, String amount) throws SQLException {
        event(
                "money-taken",
                trade(number)
                        + ",\"takenAt\":\"2026-11-30T04:00:01Z\",\"money\":{\"amount\":\"%s\",\"currency\":\"CNY\"}"
                                .formatted(amount));
    }

    private void complete() throws SQLException {
        accounts.added(AccountEvents.CAT, 8, "28-6");
        history.event("recharge:28-6", 0, "recharge.completed", """
                {"rechargeId":"recharge:28-6","activityId":200,"userId":"cat","sku":%d,\
                "outBusinessNo":"payment:28-9","bundle":%s,"unitTaken":false}""".formatted(UNLIMITED, AccountEvents.TWO));
    }

    @Test
    @DisplayName("Money that buys, money that is given back, and money on the desk is no violation.")
    void sound() throws SQLException {
        order();
        take(1, "9.90");
        complete();
        event("delivered", trade(1));
        take(2, "9.90");
        event("refund-ordered", trade(2) + REASON);
        event("refunded", trade(2));
        take(3, "1.00");
        event("refund-ordered", trade(3) + REASON);
        event("left-to-desk", trade(3));
        assertThat(violated(AT_REST)).doesNotContainKey(INVARIANT);
    }

    @Test
    @DisplayName("The read model of trades is compared: a missing row, a wrong amount and a wrong state.")
    void readModel() throws SQLException {
        order();
        take(1, "9.90");
        event("refund-ordered", trade(1) + REASON);
        event("refunded", trade(1));
        assertThat(violated(AT_REST)).containsEntry("I8 view_trade", "view_trade has no row for simulator/t1 cat");
        history.sql(
                "INSERT INTO view_trade SELECT 'simulator', 't1', 'payment:28-9', 'cat', 9.9, 'CNY', at, 'REFUNDED',"
                        + " at, position FROM event WHERE type = 'payment.refunded'");
        assertThat(violated(AT_REST)).doesNotContainKey("I8 view_trade");
        history.sql("UPDATE view_trade SET amount = 9.91");
        assertThat(violated(IN_FLIGHT)).containsKey("I8 view_trade");
        history.sql("UPDATE view_trade SET amount = 9.9, state = 'ON_DESK'");
        assertThat(violated(IN_FLIGHT)).containsKey("I8 view_trade");
    }

    @Test
    @DisplayName("Money of which nothing becomes is a violation, but only at rest.")
    void lost() throws SQLException {
        order();
        take(1, "9.90");
        event("refund-ordered", trade(1) + REASON);
        assertThat(violated(IN_FLIGHT)).doesNotContainKey(INVARIANT);
        assertThat(violated(AT_REST))
                .hasEntrySatisfying(
                        INVARIANT,
                        words -> assertThat(words)
                                .startsWith("9.90 CNY are neither delivered for, given back nor on the desk"));
    }

    @Test
    @DisplayName("A delivery for less than the price is a violation.")
    void tooCheap() throws SQLException {
        order();
        take(1, "9.89");
        complete();
        event("delivered", trade(1));
        assertThat(violated(IN_FLIGHT))
                .hasEntrySatisfying(INVARIANT, words -> assertThat(words).contains("is delivered at event"));
    }

    @Test
    @DisplayName("A completed recharge of a payment without its delivery is a violation, and so is the reverse.")
    void alone() throws SQLException {
        order();
        take(1, "9.90");
        complete();
        assertThat(violated(IN_FLIGHT))
                .hasEntrySatisfying(
                        INVARIANT, words -> assertThat(words).contains("without a delivery of payment:28-9"));
        event("delivered", trade(1));
        assertThat(violated(IN_FLIGHT)).doesNotContainKey(INVARIANT);
    }

    @Test
    @DisplayName("Money that has bought its goods is given back only by a person.")
    void givenBackByItself() throws SQLException {
        order();
        take(1, "9.90");
        complete();
        event("delivered", trade(1));
        event("refund-ordered", trade(1) + ",\"reason\":\"ORDERED_BY_DESK\"");
        assertThat(violated(IN_FLIGHT)).doesNotContainKey(INVARIANT);
        event("refunded", trade(1));
        take(2, "9.90");
        event("refund-ordered", trade(1) + REASON);
        assertThat(violated(IN_FLIGHT)).containsKey(INVARIANT);
    }

    @Test
    @DisplayName("Money that is taken twice, or given back twice, is a violation.")
    void twice() throws SQLException {
        order();
        take(1, "9.90");
        event("refund-ordered", trade(1) + REASON);
        event("refunded", trade(1));
        event("refunded", trade(1));
        assertThat(violated(IN_FLIGHT))
                .hasEntrySatisfying(INVARIANT, words -> assertThat(words).contains("after payment.refunded"));
    }
}
