package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import lottery.bench.invariant.CheckMoment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Rebates: a rebate is what its rule said, and is given once")
class RebateInvariantTest extends CheckedHistory {

    private static final String ONE = "behaviour:33-1";

    private static final String SAYS = """
            "behaviour":"share","rebates":[{"kind":"SKU","activityId":100,"sku":9001}]""";

    private static final String ORDERED = "\"index\":0,\"rebate\":{\"kind\":\"SKU\",\"activityId\":100,\"sku\":9001}";

    private void violatedOnly(CheckMoment moment, String words) throws SQLException {
        assertThat(violatedHere(moment)).containsOnly(Map.entry("rebates", words));
    }

    /** Returns the violations, except that nobody has agreed to the rules of these tests. */
    private static Map<String, String> violatedHere(CheckMoment moment) throws SQLException {
        Map<String, String> all = new HashMap<>(violated(moment));
        all.remove("proposals");
        return all;
    }

    private void rule(int version, String limit) throws SQLException {
        history.event("rebate-rule:7", version - 1, "rule.defined", """
                {"ruleId":7,"version":%d,"definition":{%s,%s"state":"OPEN"}}""".formatted(version, SAYS, limit));
    }

    private void count(int number, String behaviour, String day) throws SQLException {
        history.event("rebates:33:ann", number, "rebate.counted", """
                {"userId":"ann","ruleId":7,"behaviourId":"%s","day":"%s"}""".formatted(behaviour, day));
    }

    private void report(String behaviour, int version, String rebate) throws SQLException {
        history.event(behaviour, 0, "behaviour.reported", """
                {"behaviourId":"%s","userId":"ann","behaviour":"share","outBusinessNo":"x",\
                "reportedAt":"2026-11-26T04:00:00Z","rebates":[{"ruleId":7,"version":%d,%s}]}""".formatted(behaviour, version, rebate));
    }

    private void give(String behaviour, int sequence) throws SQLException {
        history.event(behaviour, sequence, "behaviour.rebate-given", """
                {"behaviourId":"%s","userId":"ann","ruleId":7,"index":0,"reference":"recharge:33-9"}""".formatted(behaviour));
    }

    /** Adds the two events of a recharge for the first rebate, and the row of its account. */
    private void recharge(long sku) throws SQLException {
        history.event("account:33:200:ann", 0, "account.recharged", """
                {"activityId":200,"userId":"ann","rechargeId":"recharge:33-9","bundle":{"total":2,"month":2,"day":2}}""");
        history.event("recharge:33-9", 0, "recharge.completed", """
                {"rechargeId":"recharge:33-9","activityId":200,"userId":"ann","sku":%d,\
                "outBusinessNo":"behaviour:33-1:7:0","bundle":{"total":2,"month":2,"day":2},"unitTaken":%s}""".formatted(sku, sku == RechargeEvents.LIMITED));
        history.sql("""
                INSERT INTO view_account VALUES (200, 'ann', 2, 0, 2, 0, 2, 0, NULL, NULL, NULL, 0, false, '', 0, 95)""");
    }

    private String of200(String text) {
        return text.replace("100", "200").replace("9001", "9003");
    }

    private void rule200() throws SQLException {
        history.event("rebate-rule:7", 0, "rule.defined", """
                {"ruleId":7,"version":1,"definition":{%s,"state":"OPEN"}}""".formatted(of200(SAYS)));
    }

    @Test
    @DisplayName("A rebate that is given with its recharge is no violation, and neither is one that is refused")
    void sound() throws SQLException {
        rule200();
        report(ONE, 1, of200(ORDERED));
        recharge(9003);
        give(ONE, 1);
        report("behaviour:33-2", 1, of200(ORDERED) + ",\"reason\":\"RULE_LIMIT\"");
        report("behaviour:33-3", 1, of200(ORDERED));
        history.event("behaviour:33-3", 1, "behaviour.rebate-refused", """
                {"behaviourId":"behaviour:33-3","userId":"ann","ruleId":7,"index":0,"reason":"SKU_SOLD_OUT"}""");
        history.event("behaviour:33-3", 2, "behaviour.rebate-dropped", """
                {"behaviourId":"behaviour:33-3","userId":"ann","ruleId":7,"index":0}""");
        assertThat(violatedHere(AT_REST)).isEmpty();
        assertThat(verdict("rebates", AT_REST).checked()).isEqualTo(1);
    }

    @Test
    @DisplayName("A rebate that is given without a recharge is a violation")
    void nothingBooked() throws SQLException {
        rule(1, "");
        report(ONE, 1, ORDERED);
        give(ONE, 1);
        violatedOnly(AT_REST, "behaviour:33-1:7:0 is given at event 95, and nothing is booked for it");
    }

    @Test
    @DisplayName("A recharge for a rebate that is not given is a violation")
    void notGiven() throws SQLException {
        rule200();
        report(ONE, 1, of200(ORDERED));
        recharge(9003);
        violatedOnly(IN_FLIGHT, "behaviour:33-1:7:0 is booked at event 96, and was not given");
    }

    @Test
    @DisplayName("A rebate that is given in another commit than its recharge is a violation")
    void anotherCommit() throws SQLException {
        rule200();
        report(ONE, 1, of200(ORDERED));
        recharge(9003);
        rule(2, "");
        give(ONE, 1);
        violatedOnly(AT_REST, "behaviour:33-1:7:0 is given at event 98 and booked at event 96, in another commit");
    }

    @Test
    @DisplayName("A rebate that is given twice is a violation")
    void givenTwice() throws SQLException {
        rule200();
        report(ONE, 1, of200(ORDERED));
        recharge(9003);
        give(ONE, 1);
        give(ONE, 2);
        violatedOnly(AT_REST, "behaviour:33-1:7:0 is given at event 97 and again at event 98");
    }

    @Test
    @DisplayName("A recharge of something else is a violation")
    void somethingElse() throws SQLException {
        rule200();
        report(ONE, 1, of200(ORDERED));
        recharge(9002);
        give(ONE, 1);
        assertThat(violatedHere(IN_FLIGHT))
                .containsEntry(
                        "rebates",
                        "behaviour:33-1:7:0 is SKU 9003 of activity 200 for ann, and SKU 9002 of activity 200 for ann"
                                + " at event 96");
    }

    @Test
    @DisplayName("A rebate that its rule did not say is a violation, and so is one of a version that there is not")
    void otherRule() throws SQLException {
        rule(1, "");
        report(ONE, 2, ORDERED);
        violatedOnly(IN_FLIGHT, "behaviour:33-1:7:0 is SKU 9001 of activity 100 at event 94, which no rule says");
    }

    @Test
    @DisplayName("A rebate that is never decided is a violation at rest")
    void undecided() throws SQLException {
        rule(1, "");
        report(ONE, 1, ORDERED);
        assertThat(violatedHere(IN_FLIGHT)).isEmpty();
        violatedOnly(AT_REST, "behaviour:33-1:7:0 is ordered at event 94, and neither given nor refused");
    }

    @ParameterizedTest
    @CsvSource({"DAY, 2026-12-01, 2026-12-01", "MONTH, 2026-12-01, 2026-12-31", "EVER, 2026-12-01, 2027-01-01"})
    @DisplayName("A rule that pays a user more often than its limit says is a violation")
    void beyondLimit(String period, String first, String second) throws SQLException {
        rule(1, "\"limit\":{\"count\":1,\"period\":\"%s\"},".formatted(period));
        count(0, ONE, first);
        report(ONE, 1, ORDERED);
        count(1, "behaviour:33-2", second);
        report("behaviour:33-2", 1, ORDERED);
        assertThat(violatedHere(IN_FLIGHT).get("rebates"))
                .startsWith("rule 7 has paid ann 2 times in " + period)
                .endsWith("at event 97, and its limit is 1");
    }

    @ParameterizedTest
    @CsvSource({"DAY, 2026-11-30, 2026-12-01", "MONTH, 2028-02-29, 2028-03-01"})
    @DisplayName("A rule that pays in the next period again is no violation")
    void nextPeriod(String period, String first, String second) throws SQLException {
        rule(1, "\"limit\":{\"count\":1,\"period\":\"%s\"},".formatted(period));
        count(0, ONE, first);
        report(ONE, 1, ORDERED);
        count(1, "behaviour:33-2", second);
        report("behaviour:33-2", 1, ORDERED);
        assertThat(violatedHere(IN_FLIGHT)).isEmpty();
    }

    @Test
    @DisplayName("A payment of a limited rule that is not counted is a violation, and so is a day that goes back")
    void notCounted() throws SQLException {
        rule(1, "\"limit\":{\"count\":9,\"period\":\"DAY\"},");
        report(ONE, 1, ORDERED);
        violatedOnly(IN_FLIGHT, "behaviour:33-1:7 is paid at event 94 and counted 0 times");
        count(0, ONE, "2026-12-02");
        assertThat(violatedHere(IN_FLIGHT)).isEmpty();
        count(1, "behaviour:33-2", "2026-12-01");
        report("behaviour:33-2", 1, ORDERED);
        violatedOnly(IN_FLIGHT, "rule 7 is counted for ann on 2026-12-01 at event 96, after 2026-12-02");
    }
}
