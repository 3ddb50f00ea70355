package lottery.bench;

import static lottery.bench.AccountEvents.ANN;
import static lottery.bench.AccountEvents.BOB;
import static lottery.bench.AccountEvents.CAT;
import static lottery.bench.AwardEvents.AT_ONCE;
import static lottery.bench.AwardEvents.CINEMA;
import static lottery.bench.RechargeEvents.LIMITED;
import static lottery.bench.RechargeEvents.UNLIMITED;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("I1: no more is taken than there is")
class StockInvariantTest extends CheckedHistory {

    private static final String CINEMAS = "award:100/102";
    private static final String SKUS = "sku:200/9002";
    private static final String PARTICIPATIONS = "participations:200";

    private void violatedOnly(String words) throws SQLException {
        assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I1", words));
    }

    /** Replaces a part of the payload of an event. */
    private void forge(String stream, int sequence, String part, String other) throws SQLException {
        history.sql("""
                UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), '%s', '%s'), 'UTF8')
                WHERE aggregate_id = '%s' AND sequence = %d""".formatted(part, other, stream, sequence));
    }

    /** Says the opposite of what an event says about a unit. */
    private void deny(String stream, int sequence, String field, boolean said) throws SQLException {
        forge(stream, sequence, "\"%s\":%s".formatted(field, said), "\"%s\":%s".formatted(field, !said));
    }

    @Nested
    @DisplayName("I1: the table of counters")
    class TheTable {

        @ParameterizedTest
        @CsvSource({
            "award:100/102,2,1",
            "award:100/102,0,1",
            "sku:200/9002,3,2",
            "sku:200/9002,1,2",
            "participations:200,4,3",
            "participations:200,2,3",
            "award:100/101,1,0",
            "sku:200/9003,1,0",
            "participations:100,1,0"
        })
        @DisplayName("A counter that differs from the events violates I1")
        void differs(String counter, int taken, int right) throws SQLException {
            history.count(counter, taken);
            violatedOnly("counter %s has taken %d, the events make it %d".formatted(counter, taken, right));
        }

        @Test
        @DisplayName("A missing counter violates I1 if something is taken")
        void missing() throws SQLException {
            history.sql("DELETE FROM counter WHERE name = 'award:300/103'");
            violatedOnly("counter award:300/103 has taken 0, the events make it 2");
        }

        @Test
        @DisplayName("A counter of which nothing is taken, or of something else, keeps I1")
        void others() throws SQLException {
            history.count("award:100/103", 0);
            history.count("other:100", 5);
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A counter that has taken more than its total violates I1")
        void beyondItsTotal() throws SQLException {
            history.sql("ALTER TABLE counter DROP CONSTRAINT counter_limit");
            try {
                history.sql("UPDATE counter SET total = 2 WHERE name = 'participations:200'");
                violatedOnly("counter participations:200 has taken 3 of 2");
            } finally {
                history.clear();
                history.sql("ALTER TABLE counter ADD CONSTRAINT counter_limit CHECK (taken BETWEEN 0 AND total)");
            }
        }
    }

    @Nested
    @DisplayName("I1: units of awards")
    class UnitsOfAwards {

        /** Adds three events: Ann spends a chance, draws and wins a seat in the cinema. */
        private void annWins(long sequence, String key) throws SQLException {
            accounts.spend(ANN, sequence, "ann", key, "2026-11-30");
            orders.draw("ann", key, "WON", CINEMA);
            awards.win("ann", key, CINEMA);
        }

        @Test
        @DisplayName("As many wins as there are units keep I1, and one more violates it")
        void oversold() throws SQLException {
            accounts.recharge(ANN, 3, "ann", 3, 3, 3);
            annWins(4, "33-3");
            annWins(5, "33-4");
            history.count(CINEMAS, 3);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            annWins(6, "33-5");
            history.count(CINEMAS, 4);
            violatedOnly("award:33-5 takes of award:100/102 at event 103, and then 4 are taken of 3");
        }

        @Test
        @DisplayName("A unit that was given back can be won again")
        void wonAgain() throws SQLException {
            accounts.recharge(ANN, 3, "ann", 3, 3, 3);
            annWins(4, "33-3");
            annWins(5, "33-4");
            awards.answer("ann", "33-3", 1, "award.left-to-desk", ",\"reason\":\"x\"");
            awards.answer("ann", "33-3", 2, "award.compensated", ",\"by\":\"RETURN_CHANCE\"");
            accounts.giveBack(ANN, 6, "ann", "33-3", "2026-11-30");
            annWins(7, "33-5");
            history.count(CINEMAS, 3);
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("The win of a limited award without a unit violates I1")
        void limited() throws SQLException {
            deny("award:00-2", 0, "unitTaken", true);
            history.count(CINEMAS, 0);
            violatedOnly("award:00-2 says unitTaken false at event 24, and award:100/102 is limited");
        }

        @Test
        @DisplayName("The win of an unlimited award with a unit violates I1")
        void unlimited() throws SQLException {
            deny("award:33-1", 0, "unitTaken", false);
            history.count("award:100/101", 1);
            violatedOnly("award:33-1 says unitTaken true at event 12, and award:100/101 is not limited");
        }

        @Test
        @DisplayName("An award is limited by the version of the strategy that has decided its draw")
        void otherVersion() throws SQLException {
            history.event("strategy:7", 1, "strategy.revised", """
                    {"strategyId":7,"version":2,"definition":{"mode":"SINGLE","awards":[\
                    {"awardId":102,"title":"Cinema","subtitle":"Two seats","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":2}]}}""");
            history.sql(
                    "INSERT INTO view_award VALUES (7, 2, 102, 'Cinema', 'Two seats', 'TEXT', 2, 2, NULL, NULL, 0)");
            accounts.recharge(ANN, 3, "ann", 1, 1, 1);
            annWins(4, "33-3");
            history.count(CINEMAS, 2);
            assertThat(verdict("I1", IN_FLIGHT).first()).isEmpty();
            forge("order:33-3", 0, "\"strategyVersion\":1", "\"strategyVersion\":2");
            assertThat(verdict("I1", IN_FLIGHT).first())
                    .isEqualTo("award:33-3 says unitTaken true at event 98, and award:100/102 is not limited");
        }

        @Test
        @DisplayName("A win that does not say whether it has taken a unit is not readable")
        void saysNothing() throws SQLException {
            forge("award:33-1", 0, "\"unitTaken\":false,", "");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("names", "event 12, award.won, has no yes or no in unitTaken"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"award.voided", "award.compensated", "award.forfeited"})
        @DisplayName("The unit of an award that is voided, compensated or forfeited is given back once")
        void givenBack(String name) throws SQLException {
            awards.answer("bob", "00-2", 3, name, ",\"by\":\"RETURN_CHANCE\"");
            awards.answer("bob", "00-2", 4, name, ",\"by\":\"RETURN_CHANCE\"");
            history.count(CINEMAS, 0);
            assertThat(violated(IN_FLIGHT)).isNotEmpty().doesNotContainKey("I1");
            history.count(CINEMAS, 1);
            assertThat(violated(IN_FLIGHT))
                    .containsEntry("I1", "counter award:100/102 has taken 1, the events make it 0");
        }

        @Test
        @DisplayName("A granted award keeps its unit")
        void granted() throws SQLException {
            awards.answer("bob", "00-2", 3, "award.granted", ",\"reference\":\"r\"");
            awards.answer("bob", "00-2", 4, "award.forfeited", "");
            assertThat(violated(IN_FLIGHT)).isNotEmpty().doesNotContainKey("I1");
        }

        @Test
        @DisplayName("An award that makes good for another one and has a unit violates I1")
        void substitute() throws SQLException {
            awards.winInsteadOf("award:00-2", "00-9", 100, "bob", true);
            awards.answer(
                    "bob", "00-2", 3, "award.compensated", ",\"by\":\"SUBSTITUTE\",\"substitute\":\"award:00-9\"");
            history.count(CINEMAS, 0);
            history.count("award:100/101", 1);
            violatedOnly("award:00-9 is won instead of award:00-2 at event 93 and says unitTaken true");
        }
    }

    @Nested
    @DisplayName("I1: units of SKUs")
    class UnitsOfSkus {

        private void edit(String skus) throws SQLException {
            history.event("activity:200", 1, "activity.edited", """
                    {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                    "zone":"Asia/Shanghai","strategyId":7,"participationsMax":5,"skus":[%s]}}""".formatted(skus));
        }

        private static String sku(int sku, int stock) {
            return """
                    {"sku":%d,"bundle":{"total":2,"month":2,"day":2},"stock":%d}""".formatted(sku, stock);
        }

        @Test
        @DisplayName("A recharge that waits for its payment has a unit, and keeps it when it is completed")
        void waits() throws SQLException {
            recharges.order("28-5", LIMITED);
            history.count(SKUS, 3);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            accounts.added(CAT, 8, "28-5");
            recharges.complete("28-5", 1, LIMITED);
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A recharge beyond the stock of its SKU violates I1")
        void oversold() throws SQLException {
            recharges.order("28-5", LIMITED);
            accounts.added(CAT, 8, "28-6");
            recharges.complete("28-6", 0, LIMITED);
            history.count(SKUS, 4);
            violatedOnly("recharge:28-6 takes of sku:200/9002 at event 95, and then 4 are taken of 3");
        }

        @Test
        @DisplayName("A recharge of a limited SKU without a unit violates I1")
        void limited() throws SQLException {
            deny("recharge:28-3", 0, "unitTaken", true);
            history.count(SKUS, 1);
            violatedOnly("recharge:28-3 says unitTaken false at event 76, and sku:200/9002 is limited");
        }

        @Test
        @DisplayName("A recharge of an unlimited SKU with a unit violates I1")
        void unlimited() throws SQLException {
            recharges.order("28-5", UNLIMITED, true);
            history.count("sku:200/9003", 1);
            violatedOnly("recharge:28-5 says unitTaken true at event 93, and sku:200/9003 is not limited");
        }

        @ParameterizedTest
        @CsvSource({"9002,true,3", "9003,false,2"})
        @DisplayName("A recharge that says something else of its unit when it is completed violates I1")
        void saysSomethingElse(int sku, boolean ordered, int taken) throws SQLException {
            recharges.order("28-5", sku);
            accounts.added(CAT, 8, "28-5");
            recharges.complete("28-5", 1, sku, !ordered);
            history.count(SKUS, taken);
            violatedOnly("recharge:28-5 says unitTaken %s at event 95 and said %s before".formatted(!ordered, ordered));
        }

        @Test
        @DisplayName("A closed recharge gives its unit back")
        void closed() throws SQLException {
            recharges.order("28-5", LIMITED);
            recharges.close("28-5", 1);
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A recharge that was ordered before there was a limit is completed without a unit")
        void limitComes() throws SQLException {
            recharges.order("28-5", UNLIMITED);
            edit(sku(LIMITED, 3) + "," + sku(UNLIMITED, 1));
            accounts.added(CAT, 8, "28-5");
            recharges.complete("28-5", 1, UNLIMITED);
            assertThat(verdict("I1", IN_FLIGHT).first()).isEmpty();
            accounts.added(CAT, 9, "28-6");
            recharges.complete("28-6", 0, UNLIMITED);
            assertThat(verdict("I1", IN_FLIGHT).first())
                    .isEqualTo("recharge:28-6 says unitTaken false at event 98, and sku:200/9003 is limited");
        }

        @Test
        @DisplayName("A unit of a stock that was larger before keeps I1")
        void limitShrinks() throws SQLException {
            edit(sku(LIMITED, 1));
            recharges.order("28-5", LIMITED);
            history.count(SKUS, 3);
            assertThat(verdict("I1", IN_FLIGHT).first()).isEmpty();
        }

        @Test
        @DisplayName("A unit of a stock that was enlarged keeps I1, and violates it if it was taken before")
        void limitGrows() throws SQLException {
            recharges.order("28-5", LIMITED);
            edit(sku(LIMITED, 4));
            recharges.order("28-6", LIMITED);
            history.count(SKUS, 4);
            assertThat(verdict("I1", IN_FLIGHT).first()).isEmpty();
            history.restore();
            recharges.order("28-5", LIMITED);
            recharges.order("28-6", LIMITED);
            edit(sku(LIMITED, 4));
            history.count(SKUS, 4);
            assertThat(verdict("I1", IN_FLIGHT).first())
                    .isEqualTo("recharge:28-6 takes of sku:200/9002 at event 94, and then 4 are taken of 3");
        }
    }

    @Nested
    @DisplayName("I1: participations")
    class Participations {

        private static final String ANN_IN_POOL = "account:33:400:ann";

        private void pool() throws SQLException {
            history.event("activity:400", 0, "activity.created", """
                    {"activityId":400,"definition":{"name":"Pool","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                    "zone":"Asia/Shanghai","strategyId":7,"participationsMax":1,"skus":[],"draw":{"mode":"SCHEDULED"}}}""");
        }

        /** Adds two events: Ann spends a chance, and enters the pool with it. */
        private void enter(boolean participationTaken) throws SQLException {
            accounts.spend(ANN_IN_POOL, 0, "ann", "33-70", "2026-11-29", false, true);
            history.event("order:33-70", 0, "raffle.entered", """
                    {"orderId":"order:33-70","activityId":400,"userId":"ann","day":"2026-11-29","participationTaken":%s,\
                    "entriesBefore":0,"entriesBeforeToday":0,"enteredAt":"2026-11-29T04:00:00Z"}""".formatted(participationTaken));
            history.count("participations:400", 1);
        }

        private void freeze() throws SQLException {
            history.event("pool:400", 0, "pool.frozen", """
                    {"activityId":400,"strategyId":7,"strategyVersion":1}""");
        }

        private String flaw() throws SQLException {
            return verdict("I1", IN_FLIGHT).first();
        }

        @Test
        @DisplayName("As many participations as there are keep I1, and one more violates it")
        void oversold() throws SQLException {
            accounts.recharge(CAT, 8, "cat", 3, 3, 3);
            for (int i = 9; i < 11; i++) {
                accounts.spendOfCat(i, "28-" + i, "2026-12-01");
                orders.drawOfCat(0, "28-" + i);
            }
            history.count(PARTICIPATIONS, 5);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            accounts.spendOfCat(11, "28-11", "2026-12-01");
            orders.drawOfCat(0, "28-11");
            history.count(PARTICIPATIONS, 6);
            violatedOnly("order:28-11 takes of participations:200 at event 99, and then 6 are taken of 5");
        }

        @Test
        @DisplayName("A chance without a participation violates I1 if participations are limited")
        void limited() throws SQLException {
            deny(CAT, 7, "participationTaken", true);
            history.count(PARTICIPATIONS, 2);
            violatedOnly("order:28-4 says participationTaken false at event 90, and participations:200 is limited");
        }

        @Test
        @DisplayName("A chance with a participation violates I1 if participations are not limited")
        void unlimited() throws SQLException {
            deny(BOB, 2, "participationTaken", false);
            history.count("participations:100", 1);
            violatedOnly("order:00-2 says participationTaken true at event 22, and participations:100 is not limited");
        }

        @Test
        @DisplayName("A participation is given back with the chance of an order that is not drawn")
        void givenBack() throws SQLException {
            accounts.open(8, "28-5", "2026-12-01");
            orders.create("28-5");
            accounts.giveBack(9, "28-5", "2026-12-01");
            orders.cancel(1, "28-5");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A participation is not given back with a chance that makes good for an award")
        void drawn() throws SQLException {
            awards.answer("dan", "17-6", 1, "award.left-to-desk", ",\"reason\":\"x\"");
            awards.answer("dan", "17-6", 2, "award.compensated", ",\"by\":\"RETURN_CHANCE\"");
            accounts.giveBack(AccountEvents.DAN, 9, "dan", "17-6", "2026-12-01");
            history.count("award:300/103", 1);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            history.count("participations:300", 6);
            violatedOnly("counter participations:300 has taken 6, the events make it 7");
        }

        @Test
        @DisplayName("An entry that says something else of its participation than its chance violates I1")
        void entry() throws SQLException {
            pool();
            enter(true);
            assertThat(flaw()).isEmpty();
            history.restore();
            pool();
            enter(false);
            assertThat(flaw()).isEqualTo("order:33-70 says participationTaken false at event 95 and said true before");
        }

        @Test
        @DisplayName("An entry of a cancelled pool gives its participation back, and an entry of a frozen one keeps it")
        void returnedEntry() throws SQLException {
            pool();
            enter(true);
            accounts.giveBack(ANN_IN_POOL, 1, "ann", "33-70", "2026-11-29");
            history.count("participations:400", 0);
            assertThat(flaw()).isEmpty();
            history.restore();
            pool();
            enter(true);
            freeze();
            accounts.giveBack(ANN_IN_POOL, 1, "ann", "33-70", "2026-11-29");
            assertThat(flaw()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "102,true,1,",
            "102,false,0,'award:33-70 says unitTaken false at event 97, and award:400/102 is limited'",
            "101,false,0,'award:33-70 says unitTaken false at event 97, and award:400/101 is limited'",
            "101,true,1,'award:33-70 takes of award:400/101 at event 97, and then 1 are taken of 0'"
        })
        @DisplayName("A win in a pool takes a unit that there is, or violates I1")
        void wonInPool(int award, boolean unitTaken, int taken, @Nullable String words) throws SQLException {
            pool();
            enter(true);
            freeze();
            awards.win(0, 400, "ann", "33-70", award, unitTaken, AT_ONCE, "");
            history.count("award:400/" + award, taken);
            assertThat(flaw()).isEqualTo(Objects.requireNonNullElse(words, ""));
        }
    }
}
