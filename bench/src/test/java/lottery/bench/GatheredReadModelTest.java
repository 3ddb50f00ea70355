package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import lottery.bench.invariant.CheckMoment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("I8: winners, odds, recharges and figures")
class GatheredReadModelTest extends CheckedHistory {

    private static final String TEA = ",\"award\":{\"awardId\":201,\"title\":\"Tea\",\"type\":\"TEXT\",\"sort\":1}";

    private int draws = 2;

    private void violatedOnly(CheckMoment moment, String title, String words) throws SQLException {
        assertThat(violated(moment)).containsOnly(Map.entry(title, words));
    }

    private String flaw(String title, CheckMoment moment) throws SQLException {
        return verdict(title, moment).first();
    }

    private void draw(String user, int before, int today, String soldOut, String outcome) throws SQLException {
        draws++;
        String award = outcome.equals("NOTHING") ? "" : TEA;
        String drawn = """
            {"orderId":"order:33-%d","activityId":100,"userId":"%s","strategyId":8,"strategyVersion":1,\
            "drawsBefore":%d,"drawsBeforeToday":%d,"soldOut":[%s],"ticket":"00","outcome":"%s"%s,\
            "drawnAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(draws, user, before, today, soldOut, outcome, award);
        history.event("order:33-" + draws, 0, "raffle.drawn", drawn);
    }

    @ParameterizedTest
    @CsvSource({
        "name = 'bob',name bob,b***",
        "award_id = 101,award_id 101,102",
        "title = 'Opera',title Opera,Cinema",
        "amount = 8,amount 8,8.5",
        "activity_id = 300,activity_id 300,100",
        "won_at = '2026-11-30T04:00:00Z',won_at 2026-11-30T04:00:00.000000Z,2026-11-30T04:00:00.123457Z"
    })
    @DisplayName("A winner who is another one, or is shown to everybody, violates I8")
    void otherWinner(String change, String found, String right) throws SQLException {
        history.sql("UPDATE view_winner SET %s WHERE position = 23".formatted(change));
        violatedOnly(
                IN_FLIGHT,
                "I8 view_winner",
                "view_winner has %s for 23, the events make it %s".formatted(found, right));
    }

    @Test
    @DisplayName("A consolation among the winners violates I8, and a winner who is missing does at rest")
    void news() throws SQLException {
        history.sql("DELETE FROM view_winner WHERE position = 23");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        violatedOnly(AT_REST, "I8 view_winner", "view_winner has no row for 23");
        history.sql("INSERT INTO view_winner VALUES (11, 100, 'a***', 101, 'Coffee', 'TEXT', NULL, now())");
        violatedOnly(
                IN_FLIGHT, "I8 view_winner", "view_winner has a row for 11 up to event 11 of it, which does not exist");
    }

    @Test
    @DisplayName("The thousand latest winners keep I8, and one more or less violates it at rest")
    void latest() throws SQLException {
        history.sql("""
                WITH drawn AS (
                    INSERT INTO event (position, event_id, at, sequence, aggregate_id, type, payload, metadata)
                    SELECT 92 + i, gen_random_uuid(), now(), 0, 'order:33-' || i + 2, type,
                           convert_to(convert_from(payload, 'UTF8')::jsonb::text, 'UTF8'), metadata
                    FROM event, generate_series(1, 1000) AS i WHERE position = 23
                    RETURNING position)
                UPDATE event_head SET position = 1092""");
        assertThat(flaw("I8 view_winner", AT_REST))
                .isEqualTo("view_winner still has a row for 23, which the events have taken away");
        history.sql("DELETE FROM view_winner WHERE position = 23");
        assertThat(flaw("I8 view_winner", AT_REST)).isEmpty();
        history.sql("DELETE FROM view_winner WHERE position = 93");
        assertThat(flaw("I8 view_winner", AT_REST)).isEqualTo("view_winner has no row for 93");
    }

    @ParameterizedTest
    @CsvSource({"compared,9,4,101", "won,9,1,101", "compared,9,4,0", "won,9,1,0", "compared,9,4,-1", "won,9,0,-1"})
    @DisplayName("A wrong count of draws violates I8")
    void wrongOdds(String column, int found, int right, int award) throws SQLException {
        history.sql("UPDATE view_odds SET %s = %d WHERE activity_id = 100 AND award_id = %d"
                .formatted(column, found, award));
        violatedOnly(
                IN_FLIGHT,
                "I8 view_odds",
                "view_odds has %s %d for 100/7/1/%d, the events make it %d".formatted(column, found, award, right));
    }

    @Test
    @DisplayName("Counts of what was not to be had violate I8, and counts that are missing do at rest")
    void oddsThatSayNothing() throws SQLException {
        history.sql("INSERT INTO view_odds VALUES (100, 7, 1, 102, 1, 0, 23)");
        violatedOnly(
                IN_FLIGHT,
                "I8 view_odds",
                "view_odds has a row for 100/7/1/102 up to event 23 of it, which does not exist");
        history.sql("DELETE FROM view_odds WHERE activity_id = 100 AND award_id IN (102, 0)");
        violatedOnly(AT_REST, "I8 view_odds", "view_odds has no row for 100/7/1/0");
        assertThat(violated(IN_FLIGHT)).isEmpty();
    }

    @Test
    @DisplayName("Counts without a draw that is parked keep I8 in flight, and violate it at rest")
    void parkedOdds() throws SQLException {
        history.sql("""
                INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                VALUES ('odds', 11, 'ann', '', now());
                UPDATE view_odds SET compared = compared - 1 WHERE activity_id = 100;
                UPDATE view_odds SET won = won - 1 WHERE activity_id = 100 AND award_id = 101""");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_odds");
    }

    @ParameterizedTest
    @CsvSource({
        "state = 'WAITING',state WAITING,CLOSED",
        "out_business_no = 'b-28-3',out_business_no b-28-3,b-28-2",
        "user_id = 'ann',user_id ann,cat",
        "first_position = 1,first_position 1,73",
        "total = 9,total 9,2",
        "pay_by = NULL,pay_by nothing,2026-11-30T04:10:00.000000Z"
    })
    @DisplayName("A recharge that is another one violates I8")
    void otherRecharge(String change, String found, String right) throws SQLException {
        history.sql("UPDATE view_recharge SET %s WHERE recharge_id = 'recharge:28-2'".formatted(change));
        violatedOnly(
                IN_FLIGHT,
                "I8 view_recharge",
                "view_recharge has %s for recharge:28-2, the events make it %s".formatted(found, right));
    }

    @Test
    @DisplayName("A recharge that nobody made violates I8, and one that is missing does at rest")
    void recharges() throws SQLException {
        history.sql("DELETE FROM view_recharge WHERE recharge_id = 'recharge:28-2'");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        violatedOnly(AT_REST, "I8 view_recharge", "view_recharge has no row for recharge:28-2");
        history.sql("""
                INSERT INTO view_recharge
                VALUES ('recharge:28-9', 200, 'cat', 7, 9002, 'b', 'CLOSED', 1, 1, 1, now(), NULL, 7)""");
        assertThat(flaw("I8 view_recharge", IN_FLIGHT))
                .isEqualTo("view_recharge has a row for recharge:28-9 up to event 7 of it, which does not exist");
    }

    @ParameterizedTest
    @CsvSource({
        "draws,2,1",
        "entries,1,0",
        "players,0,1",
        "new_players,1,0",
        "cost,0.01,12.5",
        "free,1,0",
        "recharged,1,0",
        "spent,1,0",
        "returned,1,0"
    })
    @DisplayName("A forged figure violates I8")
    void forgedFigure(String column, String found, String right) throws SQLException {
        history.sql(
                "UPDATE view_figure SET %s = %s WHERE activity_id = 100 AND award_id = 102".formatted(column, found));
        violatedOnly(
                IN_FLIGHT,
                "I8 view_figure",
                "view_figure has %s %s for 100/2026-11-30/102, the events make it %s".formatted(column, found, right));
    }

    @Test
    @DisplayName("Figures that are missing violate I8 at rest, and figures of nothing do at any time")
    void missingFigures() throws SQLException {
        history.sql("DELETE FROM view_figure WHERE activity_id = 100 AND award_id = 102");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        violatedOnly(AT_REST, "I8 view_figure", "view_figure has no row for 100/2026-11-30/102");
        history.sql("INSERT INTO view_figure VALUES (100, '2026-12-24', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 23)");
        assertThat(flaw("I8 view_figure", IN_FLIGHT))
                .isEqualTo("view_figure has a row for 100/2026-12-24/0 up to event 23 of it, which does not exist");
    }

    @Test
    @DisplayName("Free chances are in the figures of the day on which they were given")
    void freeChancesInFigures() throws SQLException {
        accounts.freeChances("account:33:100:ann", 3, "ann", 3, 2, 1);
        assertThat(flaw("I8 view_figure", AT_REST)).isEmpty();
        history.sql("UPDATE view_figure SET free = 2 WHERE free = 3");
        assertThat(flaw("I8 view_figure", AT_REST))
                .isEqualTo("view_figure has free 2 for 100/2026-11-30/0, the events make it 3");
    }

    @Test
    @DisplayName("Figures without an event that is parked keep I8 in flight, and violate it at rest")
    void parkedFigures() throws SQLException {
        history.sql("""
                INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                VALUES ('figures', 11, 'ann', '', now());
                UPDATE view_figure SET draws = draws - 1, players = players - 1, new_players = new_players - 1
                WHERE activity_id = 100 AND award_id = 101""");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_figure");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # Ann's first draw, with a lock; her third of the day; and one while tea is sold out.
            "mode":"SINGLE",                                                          | -1=3/0@96 201=2/1@95 202=2/0@96 0=1/1@95
            "mode":"SINGLE","fallback":202,                                           | -1=3/0@96 201=2/1@95 202=2/0@96 0=3/1@96
            "mode":"SINGLE","fallback":201,                                           | -1=3/0@96 201=2/1@95 202=2/0@96 0=2/1@95
            "mode":"OVERALL",                                                         | -1=3/0@96 201=2/1@95 202=1/0@95 0=1/1@95
            "mode":"SINGLE","tree":{"root":"lock","nodes":[],"lines":[]},             | -1=3/0@96
            "mode":"SINGLE","blacklist":{"users":["ann"],"awardId":201},              | -1=3/0@96
            "mode":"SINGLE","blacklist":{"users":["bob"],"awardId":201},              | -1=3/0@96 201=2/1@95 202=2/0@96 0=1/1@95
            "mode":"SINGLE","tierMode":"EXACT","tiers":[{"from":1,"awardIds":[201]}], | -1=3/0@96 201=1/0@95 202=2/0@96 0=1/1@95
            "mode":"SINGLE","tierMode":"FLOOR","tiers":[{"from":3,"awardIds":[201]}], | -1=3/0@96 201=1/1@94
            """)
    @DisplayName("Counts of the draws that can be held against the promise, and of no others, keep I8")
    void comparable(String rules, String counts) throws SQLException {
        history.event("strategy:8", 0, "strategy.defined", """
            {"strategyId":8,"version":1,"definition":{%s"awards":[\
            {"awardId":201,"title":"Tea","type":"TEXT","rate":"0.5","sort":1,"lockedUntilDraws":0},\
            {"awardId":202,"title":"Opera","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":2}]}}""".formatted(rules));
        draw("ann", 0, 0, "", "WON");
        draw("ann", 2, 2, "", "NOTHING");
        draw("ann", 3, 3, "201", "FALLBACK");
        assertThat(flaw("I8 view_odds", AT_REST)).startsWith("view_odds has no row for 100/8/1/");
        for (String count : counts.split(" ", -1)) {
            history.sql("INSERT INTO view_odds VALUES (100, 8, 1, %s)".formatted(count.replaceAll("[=/@]", ", ")));
        }
        assertThat(flaw("I8 view_odds", AT_REST)).isEmpty();
    }

    @Test
    @DisplayName("Entries and wins of a pool are in the figures, and its winners in the list; a substitute is not")
    void pool() throws SQLException {
        history.event("activity:400", 0, "activity.created", """
                {"activityId":400,"definition":{"name":"Pool","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[],"draw":{"mode":"SCHEDULED"}}}""");
        history.event("pool:400", 0, "pool.frozen", "{\"activityId\":400,\"strategyId\":7,\"strategyVersion\":1}");
        history.event("order:33-70", 0, "raffle.entered", """
                {"orderId":"order:33-70","activityId":400,"userId":"ann","day":"2026-11-29","participationTaken":false,"entriesBefore":0,\
                "entriesBeforeToday":0,"enteredAt":"2026-11-29T04:00:00Z"}""");
        history.event("award:33-70", 0, "award.won", """
                {"awardRecordId":"award:33-70","activityId":400,"userId":"ann","award":{"awardId":102,"title":"Cinema",\
                "type":"TEXT","sort":2},"unitTaken":true,"config":{},"onFailure":"MANUAL","wonAt":"2026-11-30T04:00:00Z"}""");
        long won = history.newest();
        history.event("award:33-71", 0, "award.won", """
                {"awardRecordId":"award:33-71","activityId":400,"userId":"ann","award":{"awardId":101,"title":"Coffee",\
                "type":"TEXT","sort":1},"unitTaken":false,"config":{},"onFailure":"MANUAL","insteadOf":"award:33-70","wonAt":"2026-11-30T04:00:00Z"}""");
        assertThat(flaw("I8 view_winner", AT_REST)).isEqualTo("view_winner has no row for " + won);
        assertThat(flaw("I8 view_figure", AT_REST)).startsWith("view_figure has no row for 400/2026-11-");
        history.sql("""
                INSERT INTO view_winner VALUES (%1$d, 400, 'a***', 102, 'Cinema', 'TEXT', NULL, '2026-11-30T04:00:00Z');
                INSERT INTO view_figure VALUES (400, '2026-11-29', 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, %1$d - 1),
                                               (400, '2026-11-30', 102, 1, 0, 0, 0, 12.50, 0, 0, 0, 0, %1$d)""".formatted(won));
        assertThat(flaw("I8 view_winner", AT_REST)).isEmpty();
        assertThat(flaw("I8 view_figure", AT_REST)).isEmpty();
    }
}
