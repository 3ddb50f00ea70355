package lottery.bench;

import static lottery.bench.AccountEvents.ANN;
import static lottery.bench.AccountEvents.BOB;
import static lottery.bench.AccountEvents.CAT;
import static lottery.bench.AccountEvents.DAN;
import static lottery.bench.AccountEvents.EVE;
import static lottery.bench.AwardEvents.AT_ONCE;
import static lottery.bench.AwardEvents.BICYCLE;
import static lottery.bench.AwardEvents.CINEMA;
import static lottery.bench.AwardEvents.COFFEE;
import static lottery.bench.AwardEvents.CREDITS;
import static lottery.bench.AwardEvents.FAR_AHEAD;
import static lottery.bench.AwardEvents.ON_RELEASE;
import static lottery.bench.CreditEvents.EVES_CREDITS;
import static lottery.bench.RechargeEvents.LIMITED;

import java.sql.SQLException;

/** A history that violates nothing, with its read models. Tests add to it what the checker is to find. */
final class SoundHistory {

    private static final String STRATEGY_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    /** Binds the only version of the strategy to the only round. */
    private static final String ROUND_COMMITMENT = "1670fd3d5cc496f0ffc06258363f39e7eb9786243adde1efb3068f6218feb291";

    private final HistoryStore history;
    private final AccountEvents accounts;
    private final RechargeEvents recharges;
    private final OrderEvents orders;
    private final AwardEvents awards;
    private final CreditEvents credits;

    SoundHistory(HistoryStore history) {
        this.history = history;
        accounts = new AccountEvents(history);
        recharges = new RechargeEvents(history);
        orders = new OrderEvents(history);
        awards = new AwardEvents(history);
        credits = new CreditEvents(history);
    }

    /**
     * Adds all events of the history, and its read models.
     *
     * <p>Ann wins (granted in order), and on the next day draws nothing. On the last of November, Bob wins a fallback,
     * which is granted although its invoice could not be sent at first. On the first of December he wins an award that
     * is rejected and left to the desk. Dan wins awards to which everything happens that can happen to one.
     *
     * <p>Cat is in an activity that limits everything. She pays for a recharge later, lets another one pass, and leaves
     * orders open. She draws one on the next day, cancels one, and asks for three draws at once, of which two are made.
     */
    void add() throws SQLException {
        history.event("strategy:7", 0, "strategy.defined", """
                {"strategyId":7,"version":1,"definition":{"mode":"SINGLE","awards":[\
                {"awardId":101,"title":"Coffee","type":"TEXT","rate":"0.5","sort":1,"lockedUntilDraws":0},\
                {"awardId":102,"title":"Cinema","subtitle":"Two seats","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":2,"stock":3,"cost":"12.50"},\
                {"awardId":103,"title":"Bicycle","type":"PHYSICAL","rate":"0.01","sort":3,"lockedUntilDraws":0,"stock":3}],"fallback":101}}""");
        history.event("activity:100", 0, "activity.created", """
                {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[{"sku":9001,"bundle":{"total":2,"month":2,"day":2}}]}}""");
        history.event("activity:100", 1, "activity.submitted", "{\"activityId\":100}", """
                {"actor":"olga","role":"operator","traceId":"0af7651916cd43dd8448eb211c80319c"}""");
        history.event("activity:100", 2, "activity.passed", """
                {"activityId":100,"strategyVersion":1,"strategyHash":"%s"}""".formatted(STRATEGY_HASH));
        history.event("activity:100", 3, "activity.started", """
                {"activityId":100,"round":1,"commitment":"66687aad","sealedSeed":"k1:AAEC","roundCommitment":"%s"}""".formatted(ROUND_COMMITMENT));
        accounts.recharge(ANN, 0, "ann", 2, 2, 1);
        accounts.recharge(BOB, 0, "bob", 2, 1, 1);
        accounts.spend(ANN, 1, "ann", "33-1", "2026-11-29");
        orders.draw("ann", "33-1", "WON", 101);
        awards.win("ann", "33-1", 101);
        awards.answer("ann", "33-1", 1, "award.dispatched", "");
        awards.answer("ann", "33-1", 2, "award.granted", ",\"reference\":\"r1\"");
        accounts.spend(ANN, 2, "ann", "33-2", "2026-11-30");
        orders.draw("ann", "33-2", "NOTHING", 0);
        accounts.spend(BOB, 1, "bob", "00-1", "2026-11-30");
        orders.draw("bob", "00-1", "FALLBACK", 101);
        awards.win("bob", "00-1", 101);
        awards.answer("bob", "00-1", 1, "award.dispatch-failed", ",\"attempt\":1,\"reason\":\"too large\"");
        awards.answer("bob", "00-1", 2, "award.granted", ",\"reference\":\"r2\"");
        accounts.spend(BOB, 2, "bob", "00-2", "2026-12-01");
        orders.draw("bob", "00-2", "WON", 102);
        awards.win("bob", "00-2", 102);
        awards.answer("bob", "00-2", 1, "award.grant-rejected", ",\"reference\":\"r3\",\"reason\":\"sold out\"");
        awards.answer("bob", "00-2", 2, "award.left-to-desk", ",\"reason\":\"sold out\"");
        addDan();
        addCat();
        addReadModels();
    }

    /**
     * Adds what happens to Dan's awards. A seat in the cinema that is sold out becomes a coffee; another one, for which
     * no answer comes, becomes a chance. A bicycle is not claimed in time, and when he wins the same one again, he
     * claims it. The seat that is free again waits on the desk, and is granted after all. A bicycle waits to be
     * claimed, and a coffee for the next millennium.
     */
    private void addDan() throws SQLException {
        history.event("activity:300", 0, "activity.created", """
                {"activityId":300,"definition":{"name":"Winter","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"participationsMax":9,"skus":[{"sku":9004,"bundle":{"total":9,"month":9,"day":9}}]}}""");
        accounts.recharge(DAN, 0, "dan", 9, 9, 9);
        winOfDan(1, "17-1", CINEMA, AT_ONCE);
        awards.answer("dan", "17-1", 1, "award.dispatched", "");
        awards.answer("dan", "17-1", 2, "award.grant-rejected", ",\"reference\":\"r4\",\"reason\":\"sold out\"");
        awards.winInsteadOf("award:17-1", "17-9", 300, "dan");
        awards.answer("dan", "17-1", 3, "award.compensated", ",\"by\":\"SUBSTITUTE\",\"substitute\":\"award:17-9\"");
        awards.answer("dan", "17-9", 1, "award.dispatched", "");
        awards.answer("dan", "17-9", 2, "award.granted", ",\"reference\":\"r5\"");
        winOfDan(2, "17-2", CINEMA, AT_ONCE);
        awards.answer("dan", "17-2", 1, "award.dispatched", "");
        awards.answer("dan", "17-2", 2, "award.left-to-desk", ",\"reason\":\"no answer\"");
        awards.answer("dan", "17-2", 3, "award.compensated", ",\"by\":\"RETURN_CHANCE\"");
        accounts.giveBack(DAN, 3, "dan", "17-2", "2026-12-01");
        winOfDan(4, "17-3", BICYCLE, ON_RELEASE);
        awards.answer("dan", "17-3", 1, "award.forfeited", "");
        winOfDan(5, "17-4", BICYCLE, ON_RELEASE);
        awards.answer("dan", "17-4", 1, "award.released", "");
        awards.answer("dan", "17-4", 2, "award.claimed", ",\"sealedAddress\":\"key:sealed\"");
        awards.answer("dan", "17-4", 3, "award.dispatched", "");
        awards.answer("dan", "17-4", 4, "award.granted", ",\"reference\":\"r6\"");
        winOfDan(6, "17-5", CINEMA, AT_ONCE);
        awards.answer("dan", "17-5", 1, "award.dispatched", "");
        awards.answer("dan", "17-5", 2, "award.left-to-desk", ",\"reason\":\"no answer\"");
        awards.answer("dan", "17-5", 3, "award.granted", ",\"reference\":\"r7\"");
        winOfDan(7, "17-6", BICYCLE, AT_ONCE);
        winOfDan(8, "17-7", COFFEE, FAR_AHEAD);
    }

    /** Adds three events: Dan spends a chance, draws and wins. His activity limits participations. */
    private void winOfDan(long sequence, String key, int award, String grant) throws SQLException {
        accounts.spend(DAN, sequence, "dan", key, "2026-12-01", false, true);
        orders.draw("order:" + key, 0, 300, "dan", key, "WON", award);
        awards.win(0, 300, "dan", key, award, grant);
    }

    private void addCat() throws SQLException {
        history.event("activity:200", 0, "activity.created", """
                {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"participationsMax":5,\
                "skus":[{"sku":9002,"bundle":{"total":2,"month":2,"day":2},"stock":3},{"sku":9003,"bundle":{"total":2,"month":2,"day":2}}]}}""");
        recharges.order("28-1", LIMITED);
        accounts.added(CAT, 0, "28-1");
        recharges.complete("28-1", 1, LIMITED);
        recharges.order("28-2", LIMITED);
        recharges.close("28-2", 1);
        accounts.added(CAT, 1, "28-3");
        recharges.complete("28-3", 0, LIMITED);
        accounts.open(2, "28-1", "2026-11-30");
        orders.create("28-1");
        orders.answered("28-a", "PARTAKE", 1, "order:28-1");
        accounts.use(3, "28-1", "2026-12-01");
        orders.drawOfCat(1, "28-1");
        orders.answered("28-b", "DRAW", 1, "order:28-1");
        accounts.open(4, "28-2", "2026-12-01");
        orders.create("28-2");
        accounts.giveBack(5, "28-2", "2026-12-01");
        orders.cancel(1, "28-2");
        orders.answered("28-c", "CANCEL", 1, "order:28-2");
        accounts.spendOfCat(6, "28-3", "2026-12-01");
        orders.drawOfCat(0, "28-3");
        accounts.spendOfCat(7, "28-4", "2026-12-01");
        orders.drawOfCat(0, "28-4");
        orders.answered("28-d", "DRAW", 3, "order:28-3", "order:28-4");
    }

    private void addReadModels() throws SQLException {
        history.sql("""
            INSERT INTO view_award
                (strategy_id, version, award_id, title, subtitle, type, sort, locked_until_draws, stock, position)
            VALUES (7, 1, 101, 'Coffee', NULL, 'TEXT', 1, 0, NULL, 0),
                   (7, 1, 102, 'Cinema', 'Two seats', 'TEXT', 2, 2, 3, 0),
                   (7, 1, 103, 'Bicycle', NULL, 'PHYSICAL', 3, 0, 3, 0);
            INSERT INTO counter VALUES ('award:100/102', 1, 3), ('award:300/102', 1, 3), ('award:300/103', 2, 3),
                                       ('participations:300', 7, 9), ('participations:200', 3, 5),
                                       ('sku:200/9002', 2, 3);
            INSERT INTO view_audit VALUES ('activity:100', 1, 'activity.submitted', 'olga', 'operator',
                '0af7651916cd43dd8448eb211c80319c', '2026-11-30T04:00:01Z', 0);
            INSERT INTO view_activity
                (activity_id, strategy_id, name, zone, state, definition, rounds, held_awards, version, position)
            VALUES (100, 7, 'Spring', 'Asia/Shanghai', 'DOING', '{}', '[]', '', 3, 0),
                   (200, 7, 'Autumn', 'Asia/Shanghai', 'EDIT', '{}', '[]', '', 0, 0),
                   (300, 7, 'Winter', 'Asia/Shanghai', 'EDIT', '{}', '[]', '', 0, 0);
            INSERT INTO view_account VALUES (100, 'ann', 2, 2, 2, 2, 1, 1, '2026-11-30', NULL, '2026-11-30', 1, false, '', 2, 15),
                                            (100, 'bob', 2, 2, 1, 1, 1, 1, '2026-12-01', NULL, '2026-12-01', 1, false, '', 2, 22),
                                            (200, 'cat', 4, 3, 4, 2, 4, 2, '2026-12-01', NULL, '2026-12-01', 3, false, '', 7, 90),
                                            (300, 'dan', 9, 6, 9, 6, 9, 6, '2026-12-01', NULL, '2026-12-01', 7, false, '', 8, 66);
            INSERT INTO view_win VALUES
                ('award:33-1', 100, 'ann', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'GRANTED', '', 2, 0),
                ('award:00-1', 100, 'bob', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'GRANTED', '', 2, 0),
                ('award:00-2', 100, 'bob', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'ON_DESK', '', 2, 0),
                ('award:17-1', 300, 'dan', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'COMPENSATED', '', 3, 0),
                ('award:17-2', 300, 'dan', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'COMPENSATED', '', 3, 0),
                ('award:17-3', 300, 'dan', 103, 'Bicycle', 'PHYSICAL', 3, NULL, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'FORFEITED', '', 1, 0),
                ('award:17-4', 300, 'dan', 103, 'Bicycle', 'PHYSICAL', 3, NULL, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'GRANTED', '', 4, 0),
                ('award:17-5', 300, 'dan', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'GRANTED', '', 3, 0),
                ('award:17-6', 300, 'dan', 103, 'Bicycle', 'PHYSICAL', 3, NULL, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'WON', '', 0, 0);
            INSERT INTO view_win VALUES
                ('award:17-7', 300, 'dan', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', '2999-12-31T16:00:00.123457Z', NULL, 'WON', '', 0, 0),
                ('award:17-9', 300, 'dan', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', NULL, 'award:17-1', 'GRANTED', '', 2, 0);
            """);
        history.sql("""
                UPDATE view_activity SET definition = (
                    SELECT convert_from(payload, 'UTF8')::jsonb -> 'definition' || '{"description": null}' FROM event
                    WHERE aggregate_id = 'activity:' || activity_id AND type = 'activity.created')""");
        history.sql("""
                UPDATE view_activity SET strategy_version = 1, strategy_hash = '%1$s',
                    rounds = '[{"round": 1, "commitment": "66687aad", "seed": null, "strategies": [
                        {"strategyVersion": 1, "strategyHash": "%1$s", "roundCommitment": "%2$s"}]}]'
                WHERE activity_id = 100""".formatted(STRATEGY_HASH, ROUND_COMMITMENT));
        steps("33-1", "DISPATCHED", "GRANTED");
        steps("00-1", "DISPATCH_FAILED", "GRANTED");
        steps("00-2", "REJECTED", "ON_DESK");
        steps("17-1", "DISPATCHED", "REJECTED", "COMPENSATED");
        steps("17-2", "DISPATCHED", "ON_DESK", "COMPENSATED");
        steps("17-3", "FORFEITED");
        steps("17-4", "DISPATCHED", "GRANTED");
        steps("17-5", "DISPATCHED", "ON_DESK", "GRANTED");
        steps("17-6");
        steps("17-7");
        steps("17-9", "DISPATCHED", "GRANTED");
    }

    private void steps(String key, String... states) throws SQLException {
        StringBuilder steps = new StringBuilder("WON 2026-11-30T04:00:00.123457Z");
        for (String state : states) {
            steps.append(", ").append(state).append(" 2026-11-30T04:00:01Z");
        }
        history.sql("UPDATE view_win SET steps = '%s' WHERE award_record_id = 'award:%s'".formatted(steps, key));
    }

    /** Adds nine events: Eve wins 8.5 credits, which are booked and granted, is given 30 by hand and spends 12. */
    void addEve() throws SQLException {
        accounts.recharge(EVE, 0, "eve", 1, 1, 1);
        accounts.spend(EVE, 1, "eve", "3e-1", "2026-11-30");
        orders.draw("order:3e-1", 0, 100, "eve", "3e-1", "WON", CREDITS);
        awards.win(0, 100, "eve", "3e-1", CREDITS, AT_ONCE);
        credits.book(1, "8.5", "8.5", "award:3e-1");
        awards.answer("eve", "3e-1", 1, "award.granted", ",\"reference\":\"%s#1\"".formatted(EVES_CREDITS));
        credits.book(2, "30", "38.5", "gift");
        credits.book(3, "-12", "26.5", "shop");
        history.sql("""
            INSERT INTO view_account VALUES (100, 'eve', 1, 1, 1, 1, 1, 1, '2026-11-30', NULL, '2026-11-30', 1, false, '', 1, 95);
            INSERT INTO view_win VALUES
                ('award:3e-1', 100, 'eve', 104, 'Points', 'CREDIT', 4, 8.5, '2026-11-30T04:00:00.123457Z', NULL, NULL, 'GRANTED', '', 1, 0);
            INSERT INTO view_credit_entry VALUES
                ('eve', 1, 8.5, 8.5, 'award:3e-1', NULL, '2026-11-30T04:00:00.123457Z', 98),
                ('eve', 2, 30, 38.5, 'gift', NULL, '2026-11-30T04:00:00.123457Z', 100),
                ('eve', 3, -12, 26.5, 'shop', NULL, '2026-11-30T04:00:00.123457Z', 101);
            """);
        steps("3e-1", "GRANTED");
    }
}
