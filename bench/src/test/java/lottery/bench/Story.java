package lottery.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A history in a database, with its read models, as tests tell it. It uses one connection, because it is told often.
 */
final class Story implements AutoCloseable {

    private static final List<Path> MIGRATIONS = List.of(
            Path.of("../db/src/main/resources/db/migration"), Path.of("../query-side/src/main/resources/db/migration"));

    static final String ANN = "account:33:100:ann";
    static final String BOB = "account:00:100:bob";
    static final String CAT = "account:28:200:cat";
    static final String DAN = "account:17:300:dan";
    static final String EVE = "account:3e:100:eve";
    static final String EVES_CREDITS = "credit:3e:eve";

    /** The times at which awards are handed over. */
    static final String AT_ONCE = "{\"timing\":\"INSTANT\"}";

    static final String ON_RELEASE = "{\"timing\":\"MANUAL\"}";
    static final String LONG_PAST = "{\"timing\":\"SCHEDULED\",\"at\":\"2001-12-31T16:00:00.1234567Z\"}";
    static final String FAR_AHEAD = "{\"timing\":\"SCHEDULED\",\"at\":\"2999-12-31T16:00:00.1234567Z\"}";

    static final int COFFEE = 101;

    /** An award with three units. */
    static final int CINEMA = 102;

    /** An award with three units, each of which waits for an address. */
    static final int BICYCLE = 103;

    /** An award that the strategy does not know, which no invariant minds. */
    static final int CREDITS = 104;

    private static final String TWO = "{\"total\":2,\"month\":2,\"day\":2}";

    /**
     * A trigger that lets units, winners, odds, recharges and figures follow the events. It knows the one strategy of
     * the history, with its usual tree and a fallback, and the one day and zone of its draws.
     */
    private static final String FOLLOWING = """
            CREATE FUNCTION story_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE
                told jsonb := convert_from(NEW.payload, 'UTF8')::jsonb;
                prize jsonb := told -> 'award';
                award record;
            BEGIN
                INSERT INTO view_figure AS known
                SELECT (told ->> 'activityId')::bigint, coalesce((told ->> 'day')::date, '2026-11-30'),
                    coalesce((prize ->> 'awardId')::integer, 0), (NEW.type = 'raffle.drawn')::integer,
                    coalesce(told ->> 'drawsBeforeToday' = '0', false)::integer,
                    coalesce(told ->> 'drawsBefore' = '0', false)::integer,
                    CASE WHEN prize ->> 'awardId' = '102' AND told ->> 'strategyId' = '7' THEN 12.50 ELSE 0 END,
                    CASE NEW.type WHEN 'account.opened' THEN (told #>> '{bundle,total}')::integer ELSE 0 END,
                    CASE NEW.type WHEN 'account.recharged' THEN (told #>> '{bundle,total}')::integer ELSE 0 END,
                    (NEW.type = 'account.chance-spent')::integer, (NEW.type = 'account.chance-returned')::integer,
                    NEW.position
                WHERE NEW.type IN ('raffle.drawn', 'account.opened', 'account.recharged', 'account.chance-spent',
                                   'account.chance-returned')
                ON CONFLICT (activity_id, day, award_id) DO UPDATE
                SET draws = known.draws + excluded.draws, players = known.players + excluded.players,
                    new_players = known.new_players + excluded.new_players, cost = known.cost + excluded.cost,
                    free = known.free + excluded.free, recharged = known.recharged + excluded.recharged,
                    spent = known.spent + excluded.spent, returned = known.returned + excluded.returned,
                    position = excluded.position;
                INSERT INTO view_recharge AS known
                SELECT told ->> 'rechargeId', (told ->> 'activityId')::bigint, told ->> 'userId', NEW.position,
                    (told ->> 'sku')::bigint, told ->> 'outBusinessNo',
                    CASE NEW.type WHEN 'recharge.ordered' THEN 'WAITING' ELSE 'COMPLETED' END,
                    (told #>> '{bundle,total}')::integer, (told #>> '{bundle,month}')::integer,
                    (told #>> '{bundle,day}')::integer, NEW.at, (told ->> 'payBy')::timestamptz, NEW.position
                WHERE NEW.type IN ('recharge.ordered', 'recharge.completed')
                ON CONFLICT (recharge_id) DO UPDATE SET state = excluded.state, position = excluded.position;
                UPDATE view_recharge SET state = 'CLOSED', position = NEW.position
                WHERE NEW.type = 'recharge.closed' AND recharge_id = told ->> 'rechargeId';
                IF NEW.type = 'award.won' AND told ? 'slot' THEN
                    INSERT INTO view_unit VALUES (told ->> 'awardRecordId', (told ->> 'activityId')::bigint, 'AWARD',
                            (prize ->> 'awardId')::bigint, (told ->> 'slot')::integer, NEW.position)
                    ON CONFLICT (holder) DO UPDATE SET (activity_id, kind, number, slot, position) =
                        ROW (excluded.activity_id, excluded.kind, excluded.number, excluded.slot, excluded.position);
                ELSIF NEW.type IN ('recharge.ordered', 'recharge.completed') AND told ? 'slot' THEN
                    INSERT INTO view_unit VALUES (told ->> 'rechargeId', (told ->> 'activityId')::bigint, 'SKU',
                            (told ->> 'sku')::bigint, (told ->> 'slot')::integer, NEW.position)
                    ON CONFLICT (holder) DO UPDATE SET (activity_id, kind, number, slot, position) =
                        ROW (excluded.activity_id, excluded.kind, excluded.number, excluded.slot, excluded.position);
                ELSIF NEW.type IN ('award.forfeited', 'award.compensated', 'recharge.closed') THEN
                    DELETE FROM view_unit WHERE holder IN (told ->> 'awardRecordId', told ->> 'rechargeId');
                ELSIF NEW.type = 'raffle.drawn' AND told ->> 'strategyId' = '7' THEN
                    IF told ->> 'outcome' = 'WON' AND prize ->> 'awardId' <> '101' THEN
                        INSERT INTO view_winner VALUES (NEW.position, (told ->> 'activityId')::bigint,
                            left(told ->> 'userId', 1) || '***', (prize ->> 'awardId')::integer, prize ->> 'title',
                            prize ->> 'type', (prize ->> 'amount')::numeric, '2026-11-30T04:00:00.123457Z');
                    END IF;
                    FOR award IN SELECT * FROM (VALUES (-1, 0), (0, 0), (101, 0), (102, 2), (103, 0)) AS a (id, lock)
                                 WHERE lock <= (told ->> 'drawsBeforeToday')::integer
                                   AND NOT told -> 'soldOut' @> to_jsonb(id) LOOP
                        INSERT INTO view_odds AS known VALUES ((told ->> 'activityId')::bigint, 7, 1, award.id, 1,
                            CASE award.id WHEN -1 THEN 0
                                          WHEN 0 THEN (told ->> 'outcome' = 'NOTHING')::integer
                                          ELSE (told ->> 'outcome' = 'WON' AND prize ->> 'awardId' = award.id::text)::integer
                            END, NEW.position)
                        ON CONFLICT (activity_id, strategy_id, version, award_id) DO UPDATE
                        SET compared = known.compared + 1, won = known.won + excluded.won, position = excluded.position;
                    END LOOP;
                END IF;
                RETURN NULL;
            END;
            $$;
            CREATE TRIGGER story_goes_on AFTER INSERT ON event FOR EACH ROW
            WHEN (current_setting('story.kept', true) IS DISTINCT FROM 'on' AND NEW.type IN ('award.won', 'award.forfeited', 'award.compensated', 'raffle.drawn',
                               'recharge.ordered', 'recharge.completed', 'recharge.closed', 'account.opened',
                               'account.recharged', 'account.chance-spent', 'account.chance-returned'))
            EXECUTE FUNCTION story_goes_on()""";

    /** The tables that a history fills. */
    private static final List<String> TABLES = List.of(
            "event",
            "claim",
            "series",
            "series_number",
            "view_activity",
            "view_award",
            "view_account",
            "view_win",
            "view_credit_entry",
            "view_sign_in",
            "view_unit",
            "view_stock",
            "view_winner",
            "view_odds",
            "view_audit",
            "view_recharge",
            "view_figure",
            "parked_event");

    private final Connection connection;

    /**
     * Sends statements as scripts, which the server takes apart. The driver does not find the end of a function that is
     * written in SQL.
     */
    Story(CheckedDatabase database) throws SQLException {
        Properties script = new Properties();
        script.setProperty("user", database.user());
        script.setProperty("password", database.password());
        script.setProperty("preferQueryMode", "simple");
        connection = DriverManager.getConnection(database.url(), script);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Creates the tables as the product itself does. */
    void prepare() throws SQLException, IOException {
        for (Path folder : MIGRATIONS) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".sql"))
                        .sorted()
                        .toList()) {
                    sql(Files.readString(file));
                }
            }
        }
        // The checker does not look at these positions, and the history does not set them.
        sql("""
                ALTER TABLE view_activity ALTER position SET DEFAULT 0;
                ALTER TABLE view_activity ALTER rounds SET DEFAULT '[]';
                ALTER TABLE view_win ALTER position SET DEFAULT 0;
                ALTER TABLE view_award ALTER position SET DEFAULT 0;
                ALTER TABLE view_win ALTER steps SET DEFAULT ''""");
        sql(FOLLOWING);
    }

    void forget() throws SQLException {
        sql(TABLES.stream().map("DELETE FROM %s"::formatted).collect(Collectors.joining("; ")));
        sql("UPDATE event_head SET position = 0");
    }

    /** Keeps the history that was told, to tell it again in a moment. */
    void keep() throws SQLException {
        sql("CREATE SCHEMA kept");
        for (String table : TABLES) {
            sql("CREATE TABLE kept.%1$s AS TABLE %1$s".formatted(table));
        }
        sql("CREATE TABLE kept.event_head AS TABLE event_head");
    }

    /** Forgets everything, and tells what was kept. The tables that follow the events were kept with them. */
    void tellKept() throws SQLException {
        String again = TABLES.stream()
                .map("DELETE FROM %1$s; INSERT INTO %1$s SELECT * FROM kept.%1$s"::formatted)
                .collect(Collectors.joining("; "));
        try {
            sql("""
                    SET story.kept = 'on';
                    %s;
                    UPDATE event_head SET position = (SELECT position FROM kept.event_head)""".formatted(again));
        } finally {
            sql("RESET story.kept");
        }
    }

    /**
     * Tells a history that violates nothing.
     *
     * <p>Ann wins (granted in order), and on the next day draws nothing. On the last of November, Bob wins a fallback,
     * which is granted although its invoice could not be sent at first. On the first of December he wins an award that
     * is rejected and left to the desk. Dan wins awards to which everything happens that can happen to one.
     *
     * <p>Cat is in an activity that limits everything. She pays for a recharge later, lets another one pass, and leaves
     * orders open. She draws one on the next day, cancels one, and asks for three draws at once, of which two are made.
     */
    void tellSound() throws SQLException {
        event("strategy:7", 0, "strategy.defined", """
                {"strategyId":7,"version":1,"definition":{"mode":"SINGLE","awards":[\
                {"awardId":101,"title":"Coffee","type":"TEXT","rate":"0.5","sort":1,"lockedUntilDraws":0},\
                {"awardId":102,"title":"Cinema","subtitle":"Two seats","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":2,"stock":3,"cost":"12.50"},\
                {"awardId":103,"title":"Bicycle","type":"PHYSICAL","rate":"0.01","sort":3,"lockedUntilDraws":0,"stock":3}],"fallback":101}}""");
        event("activity:100", 0, "activity.created", """
                {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[{"sku":9001,"bundle":{"total":2,"month":2,"day":2}}]}}""");
        event("activity:100", 1, "activity.submitted", "{\"activityId\":100}", """
                {"actor":"olga","role":"operator","traceId":"0af7651916cd43dd8448eb211c80319c"}""");
        event("activity:100", 2, "activity.passed", "{\"activityId\":100}");
        event("activity:100", 3, "activity.started", """
                {"activityId":100,"round":1,"commitment":"66687aad","sealedSeed":"k1:AAEC"}""");
        recharge(ANN, 0, "ann", 2, 2, 1);
        recharge(BOB, 0, "bob", 2, 1, 1);
        spend(ANN, 1, "ann", "33-1", "2026-11-29");
        draw("ann", "33-1", "WON", 101);
        win("ann", "33-1", 101);
        answer("ann", "33-1", 1, "award.dispatched", "");
        answer("ann", "33-1", 2, "award.granted", ",\"reference\":\"r1\"");
        spend(ANN, 2, "ann", "33-2", "2026-11-30");
        draw("ann", "33-2", "NOTHING", 0);
        spend(BOB, 1, "bob", "00-1", "2026-11-30");
        draw("bob", "00-1", "FALLBACK", 101);
        win("bob", "00-1", 101);
        answer("bob", "00-1", 1, "award.dispatch-failed", ",\"attempt\":1,\"reason\":\"too large\"");
        answer("bob", "00-1", 2, "award.granted", ",\"reference\":\"r2\"");
        spend(BOB, 2, "bob", "00-2", "2026-12-01");
        draw("bob", "00-2", "WON", 102);
        win("bob", "00-2", 102);
        answer("bob", "00-2", 1, "award.grant-rejected", ",\"reference\":\"r3\",\"reason\":\"sold out\"");
        answer("bob", "00-2", 2, "award.left-to-desk", ",\"reason\":\"sold out\"");
        tellOfDan();
        tellOfCat();
        project();
    }

    /**
     * Tells what happens to Dan's awards. A seat in the cinema that is sold out becomes a coffee; another one, for
     * which no answer comes, becomes a chance. A bicycle is not claimed in time, and when he wins the same one again,
     * he claims it. The seat that is free again waits on the desk, and is granted after all. A bicycle waits to be
     * claimed, and a coffee for the next millennium.
     */
    private void tellOfDan() throws SQLException {
        event("activity:300", 0, "activity.created", """
                {"activityId":300,"definition":{"name":"Winter","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"participationsMax":9,"skus":[{"sku":9004,"bundle":{"total":9,"month":9,"day":9}}]}}""");
        recharge(DAN, 0, "dan", 9, 9, 9);
        winOfDan(1, "17-1", CINEMA, 1, AT_ONCE);
        answer("dan", "17-1", 1, "award.dispatched", "");
        answer("dan", "17-1", 2, "award.grant-rejected", ",\"reference\":\"r4\",\"reason\":\"sold out\"");
        winInsteadOf("award:17-1", "17-9", 300, "dan", 0);
        answer("dan", "17-1", 3, "award.compensated", ",\"by\":\"SUBSTITUTE\",\"substitute\":\"award:17-9\"");
        answer("dan", "17-9", 1, "award.dispatched", "");
        answer("dan", "17-9", 2, "award.granted", ",\"reference\":\"r5\"");
        winOfDan(2, "17-2", CINEMA, 1, AT_ONCE);
        answer("dan", "17-2", 1, "award.dispatched", "");
        answer("dan", "17-2", 2, "award.left-to-desk", ",\"reason\":\"no answer\"");
        answer("dan", "17-2", 3, "award.compensated", ",\"by\":\"RETURN_CHANCE\"");
        giveBack(DAN, 3, "dan", "17-2", "2026-12-01");
        winOfDan(4, "17-3", BICYCLE, 1, ON_RELEASE);
        answer("dan", "17-3", 1, "award.forfeited", "");
        winOfDan(5, "17-4", BICYCLE, 1, ON_RELEASE);
        answer("dan", "17-4", 1, "award.released", "");
        answer(
                "dan",
                "17-4",
                2,
                "award.claimed",
                ",\"address\":{\"name\":\"Dan\",\"phone\":\"1\",\"address\":\"1 High Street\"}");
        answer("dan", "17-4", 3, "award.dispatched", "");
        answer("dan", "17-4", 4, "award.granted", ",\"reference\":\"r6\"");
        winOfDan(6, "17-5", CINEMA, 1, AT_ONCE);
        answer("dan", "17-5", 1, "award.dispatched", "");
        answer("dan", "17-5", 2, "award.left-to-desk", ",\"reason\":\"no answer\"");
        answer("dan", "17-5", 3, "award.granted", ",\"reference\":\"r7\"");
        winOfDan(7, "17-6", BICYCLE, 2, AT_ONCE);
        winOfDan(8, "17-7", COFFEE, 0, FAR_AHEAD);
    }

    /** Adds three events: Dan spends a chance, draws and wins. His participations are numbered like his orders. */
    private void winOfDan(long sequence, String key, int award, int slot, String grant) throws SQLException {
        int participation = Integer.parseInt(key.substring(key.indexOf('-') + 1));
        spend(DAN, sequence, "dan", key, "2026-12-01", false, participation);
        draw("order:" + key, 0, 300, "dan", key, "WON", award);
        win(0, 300, "dan", key, award, slot, grant, "");
    }

    private void tellOfCat() throws SQLException {
        event("activity:200", 0, "activity.created", """
                {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"participationsMax":5,\
                "skus":[{"sku":9002,"bundle":{"total":2,"month":2,"day":2},"stock":3},{"sku":9003,"bundle":{"total":2,"month":2,"day":2}}]}}""");
        order("28-1", 9002, 1);
        added(CAT, 0, "28-1");
        complete("28-1", 1, 9002, 1);
        order("28-2", 9002, 2);
        close("28-2", 1);
        added(CAT, 1, "28-3");
        complete("28-3", 0, 9002, 2);
        open(2, "28-1", "2026-11-30", 1);
        create("28-1");
        answered("28-a", "PARTAKE", 1, "order:28-1");
        use(3, "28-1", "2026-12-01");
        drawOfCat(1, "28-1");
        answered("28-b", "DRAW", 1, "order:28-1");
        open(4, "28-2", "2026-12-01", 2);
        create("28-2");
        giveBack(5, "28-2", "2026-12-01");
        cancel(1, "28-2");
        answered("28-c", "CANCEL", 1, "order:28-2");
        spendOfCat(6, "28-3", "2026-12-01", 2);
        drawOfCat(0, "28-3");
        spendOfCat(7, "28-4", "2026-12-01", 3);
        drawOfCat(0, "28-4");
        answered("28-d", "DRAW", 3, "order:28-3", "order:28-4");
    }

    private void project() throws SQLException {
        sql("""
            INSERT INTO view_award VALUES (7, 101, 'Coffee', NULL, 'TEXT', 1, 0, 1, NULL),
                                          (7, 102, 'Cinema', 'Two seats', 'TEXT', 2, 2, 1, 3),
                                          (7, 103, 'Bicycle', NULL, 'PHYSICAL', 3, 0, 1, 3);
            INSERT INTO claim VALUES ('stock:100/102', '3', 'order:00-2', 22),
                                     ('stock:300/102', '1', 'order:17-5', 57),
                                     ('stock:300/103', '1', 'order:17-4', 50), ('stock:300/103', '2', 'order:17-6', 63),
                                     ('participations:300', '1', 'order:17-1', 30), ('participations:300', '2', 'order:17-2', 39),
                                     ('participations:300', '3', 'order:17-3', 46), ('participations:300', '4', 'order:17-4', 50),
                                     ('participations:300', '5', 'order:17-5', 57), ('participations:300', '6', 'order:17-6', 63),
                                     ('participations:300', '7', 'order:17-7', 66),
                                     ('sku:200/9002', '1', 'recharge:28-1', 27), ('sku:200/9002', '2', 'recharge:28-3', 32),
                                     ('participations:200', '1', 'order:28-1', 34),
                                     ('participations:200', '2', 'order:28-3', 45),
                                     ('participations:200', '3', 'order:28-4', 45);
            INSERT INTO view_audit VALUES ('activity:100', 1, 'activity.submitted', 'olga', 'operator',
                '0af7651916cd43dd8448eb211c80319c', '2026-11-30T04:00:01Z', 0);
            INSERT INTO view_activity VALUES (100, 7, 'Spring', 'Asia/Shanghai', 'DOING', 3, '{}'),
                                             (200, 7, 'Autumn', 'Asia/Shanghai', 'EDIT', 0, '{}'),
                                             (300, 7, 'Winter', 'Asia/Shanghai', 'EDIT', 0, '{}');
            INSERT INTO view_account VALUES (100, 'ann', 2, 2, 2, 2, 1, 1, '2026-11-30', 2, 15, NULL, '2026-11-30', 1),
                                            (100, 'bob', 2, 2, 1, 1, 1, 1, '2026-12-01', 2, 22, NULL, '2026-12-01', 1),
                                            (200, 'cat', 4, 3, 4, 2, 4, 2, '2026-12-01', 7, 90, NULL, '2026-12-01', 3),
                                            (300, 'dan', 9, 6, 9, 6, 9, 6, '2026-12-01', 8, 66, NULL, '2026-12-01', 7);
            INSERT INTO view_win VALUES
                ('award:33-1', 100, 'ann', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', 'GRANTED', 2),
                ('award:00-1', 100, 'bob', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', 'GRANTED', 2),
                ('award:00-2', 100, 'bob', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', 'ON_DESK', 2),
                ('award:17-1', 300, 'dan', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', 'COMPENSATED', 3),
                ('award:17-2', 300, 'dan', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', 'COMPENSATED', 3),
                ('award:17-3', 300, 'dan', 103, 'Bicycle', 'PHYSICAL', 3, NULL, '2026-11-30T04:00:00.123457Z', 'FORFEITED', 1),
                ('award:17-4', 300, 'dan', 103, 'Bicycle', 'PHYSICAL', 3, NULL, '2026-11-30T04:00:00.123457Z', 'GRANTED', 4),
                ('award:17-5', 300, 'dan', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', 'GRANTED', 3),
                ('award:17-6', 300, 'dan', 103, 'Bicycle', 'PHYSICAL', 3, NULL, '2026-11-30T04:00:00.123457Z', 'WON', 0);
            INSERT INTO view_win VALUES
                ('award:17-7', 300, 'dan', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', 'WON', 0,
                 '2999-12-31T16:00:00.123457Z', NULL),
                ('award:17-9', 300, 'dan', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', 'GRANTED', 2,
                 NULL, 'award:17-1');
            """);
        sql("""
                UPDATE view_activity SET definition = (
                    SELECT convert_from(payload, 'UTF8')::jsonb -> 'definition' || '{"description": null}' FROM event
                    WHERE aggregate_id = 'activity:' || activity_id AND type = 'activity.created')""");
        sql("""
                UPDATE view_activity SET rounds = '[{"round": 1, "commitment": "66687aad", "seed": null}]'
                WHERE activity_id = 100""");
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
        sql("UPDATE view_win SET steps = '%s' WHERE award_record_id = 'award:%s'".formatted(steps, key));
    }

    /** Adds nine events: Eve wins 8.5 credits, which are booked and granted, is given 30 by hand and spends 12. */
    void tellOfEve() throws SQLException {
        recharge(EVE, 0, "eve", 1, 1, 1);
        spend(EVE, 1, "eve", "3e-1", "2026-11-30");
        draw("order:3e-1", 0, 100, "eve", "3e-1", "WON", CREDITS);
        win(0, 100, "eve", "3e-1", CREDITS, 0, AT_ONCE, "");
        book(1, "8.5", "8.5", "award:3e-1");
        answer("eve", "3e-1", 1, "award.granted", ",\"reference\":\"%s#1\"".formatted(EVES_CREDITS));
        book(2, "30", "38.5", "gift");
        book(3, "-12", "26.5", "shop");
        sql("""
            INSERT INTO view_account VALUES (100, 'eve', 1, 1, 1, 1, 1, 1, '2026-11-30', 1, 95, NULL, '2026-11-30', 1);
            INSERT INTO view_win VALUES
                ('award:3e-1', 100, 'eve', 104, 'Points', 'CREDIT', 4, 8.5, '2026-11-30T04:00:00.123457Z', 'GRANTED', 1);
            INSERT INTO view_credit_entry VALUES
                ('eve', 1, 8.5, 8.5, 'award:3e-1', NULL, '2026-11-30T04:00:00.123457Z', 98),
                ('eve', 2, 30, 38.5, 'gift', NULL, '2026-11-30T04:00:00.123457Z', 100),
                ('eve', 3, -12, 26.5, 'shop', NULL, '2026-11-30T04:00:00.123457Z', 101);
            """);
        steps("3e-1", "GRANTED");
    }

    /** Lets this SKU of the activity cost two credits from now on. */
    void price(int activity, int sku) throws SQLException {
        event("activity:" + activity, 40, "activity.edited", """
                {"activityId":%d,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[{"sku":%d,"bundle":{"total":2,"month":2,"day":2},"priceCredits":"2"}]}}""".formatted(activity, sku));
    }

    /** Adds a booking of Eve's credits, with the claim of its number. */
    void book(long entry, String amount, String balance, String businessNo) throws SQLException {
        event(EVES_CREDITS, entry - 1, "credit.booked", """
                {"userId":"eve","entry":%d,"amount":"%s","balance":"%s","businessNo":"%s","bookedAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(entry, amount, balance, businessNo));
        sql("INSERT INTO claim VALUES ('%s', '%s', '%d', 50) ON CONFLICT DO NOTHING"
                .formatted(EVES_CREDITS, businessNo, entry));
    }

    /** Adds two events: the recharge of a SKU without a limit, with its chances. */
    void recharge(String account, long sequence, String user, int total, int month, int day) throws SQLException {
        String bundle = "{\"total\":%d,\"month\":%d,\"day\":%d}".formatted(total, month, day);
        String recharge = shardOf(account) + "-r" + sequence;
        added(account, sequence, user, recharge, bundle);
        event("recharge:" + recharge, 0, "recharge.completed", """
                {"rechargeId":"recharge:%s","activityId":%s,"userId":"%s","sku":9001,"outBusinessNo":"b-%s","bundle":%s}""".formatted(
                        recharge, activityOf(account), user, recharge, bundle));
    }

    /** Adds one event: the account is given the free chances of its activity. */
    void freeChances(String account, long sequence, String user, int total, int month, int day) throws SQLException {
        event(account, sequence, "account.opened", """
                {"activityId":%s,"userId":"%s","bundle":{"total":%d,"month":%d,"day":%d}}""".formatted(activityOf(account), user, total, month, day));
    }

    private void added(String account, long sequence, String user, String recharge, String bundle) throws SQLException {
        event(account, sequence, "account.recharged", """
                {"activityId":%s,"userId":"%s","rechargeId":"recharge:%s","bundle":%s}""".formatted(activityOf(account), user, recharge, bundle));
    }

    /** Adds two chances for Cat. */
    void added(String account, long sequence, String recharge) throws SQLException {
        added(account, sequence, "cat", recharge, TWO);
    }

    /** Adds a recharge of Cat's that waits for its payment. */
    void order(String recharge, int sku, int slot) throws SQLException {
        event("recharge:" + recharge, 0, "recharge.ordered", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b-%s","bundle":%s%s,\
                "payBy":"2026-11-30T04:10:00Z"}""".formatted(recharge, sku, recharge, TWO, slot(slot)));
    }

    void complete(String recharge, long sequence, int sku, int slot) throws SQLException {
        event("recharge:" + recharge, sequence, "recharge.completed", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b-%s","bundle":%s%s}""".formatted(
                        recharge, sku, recharge, TWO, slot(slot)));
    }

    void close(String recharge, long sequence) throws SQLException {
        event("recharge:" + recharge, sequence, "recharge.closed", """
                {"rechargeId":"recharge:%s","userId":"cat"}""".formatted(recharge));
    }

    void spend(String account, long sequence, String user, String key, String day) throws SQLException {
        spend(account, sequence, user, key, day, false, 0);
    }

    /** Lets Cat spend a chance for an order that is drawn at once. */
    void spendOfCat(long sequence, String key, String day, int slot) throws SQLException {
        spend(CAT, sequence, "cat", key, day, false, slot);
    }

    /** Lets Cat spend a chance for an order that stays open. */
    void open(long sequence, String key, String day, int slot) throws SQLException {
        spend(CAT, sequence, "cat", key, day, true, slot);
    }

    private void spend(String account, long sequence, String user, String key, String day, boolean open, int slot)
            throws SQLException {
        event(account, sequence, "account.chance-spent", """
                {"activityId":%s,"userId":"%s","orderId":"order:%s","day":"%s","open":%s%s}""".formatted(
                        activityOf(account), user, key, day, open, slot(slot)));
    }

    private static String shardOf(String account) {
        return account.split(":", 3)[1];
    }

    private static String activityOf(String account) {
        return account.replaceFirst("account:..:(\\d+):.*", "$1");
    }

    void claim(String scope, int slot, String holder) throws SQLException {
        claim(scope, Integer.toString(slot), holder);
    }

    void claim(String scope, String key, String holder) throws SQLException {
        sql("INSERT INTO claim VALUES ('%s', '%s', '%s', 50)".formatted(scope, key, holder));
    }

    /** Deletes all claims of a holder, no matter of which stock. */
    void release(String holder) throws SQLException {
        sql("DELETE FROM claim WHERE holder = '%s'".formatted(holder));
    }

    /** Deletes only the claim of the award's unit; the participation stays. */
    void releaseUnit(String holder) throws SQLException {
        sql("DELETE FROM claim WHERE holder = '%s' AND scope LIKE 'stock:%%'".formatted(holder));
    }

    /** Returns the field of a unit; nothing if the unit is 0. */
    private static String slot(int slot) {
        return slot == 0 ? "" : ",\"slot\":" + slot;
    }

    void use(long sequence, String key, String day) throws SQLException {
        ofChance("account.order-used", CAT, sequence, "cat", key, day);
    }

    void giveBack(long sequence, String key, String day) throws SQLException {
        giveBack(CAT, sequence, "cat", key, day);
    }

    void giveBack(String account, long sequence, String user, String key, String day) throws SQLException {
        ofChance("account.chance-returned", account, sequence, user, key, day);
    }

    private void ofChance(String name, String account, long sequence, String user, String key, String day)
            throws SQLException {
        event(account, sequence, name, """
                {"activityId":%s,"userId":"%s","orderId":"order:%s","day":"%s"}""".formatted(activityOf(account), user, key, day));
    }

    void refuse(String key, long sequence) throws SQLException {
        event("order:" + key, sequence, "raffle.order-refused", """
                {"orderId":"order:%s","activityId":200,"userId":"cat","count":1,"reason":"QUOTA_DAY","about":"account:28:200:cat",\
                "queuedAt":"2026-11-30T04:00:00Z","refusedAt":"2026-11-30T04:00:01Z"}""".formatted(key));
    }

    void create(String key) throws SQLException {
        create(key, 0);
    }

    void create(String key, long sequence) throws SQLException {
        event("order:" + key, sequence, "raffle.order-created", """
                {"orderId":"order:%s","activityId":200,"userId":"cat","createdAt":"2026-11-30T04:00:00Z"}""".formatted(key));
    }

    void cancel(long sequence, String key) throws SQLException {
        event("order:" + key, sequence, "raffle.order-cancelled", """
                {"orderId":"order:%s","userId":"cat","cancelledAt":"2026-11-30T04:00:00Z"}""".formatted(key));
    }

    /** Adds an answer. With fewer orders than were asked for, it has a refusal, too. */
    void answered(String request, String wish, int count, String... orders) throws SQLException {
        answered(request, wish, count, orders.length < count, orders);
    }

    void answered(String request, String wish, int count, boolean refused, String... orders) throws SQLException {
        event("order:" + request, 0, "raffle.request-answered", """
                {"requestId":"order:%s","activityId":200,"userId":"cat","wish":"%s","count":%d,"orders":[%s]%s}""".formatted(
                        request,
                        wish,
                        count,
                        Stream.of(orders).map("\"%s\""::formatted).collect(Collectors.joining(",")),
                        refused ? ",\"shortage\":\"QUOTA_DAY\"" : ""));
    }

    /** Lets Cat draw nothing. */
    void drawOfCat(long sequence, String key) throws SQLException {
        draw("order:" + key, sequence, 200, "cat", key, "NOTHING", 0);
    }

    void draw(String user, String key, String outcome, int award) throws SQLException {
        draw("order:" + key, 0, user, key, outcome, award);
    }

    void draw(String stream, long sequence, String user, String key, String outcome, int award) throws SQLException {
        draw(stream, sequence, 100, user, key, outcome, award);
    }

    private void draw(String stream, long sequence, long activity, String user, String key, String outcome, int award)
            throws SQLException {
        event(stream, sequence, "raffle.drawn", """
                {"orderId":"order:%s","activityId":%d,"userId":"%s","strategyId":7,"strategyVersion":1,%s,"soldOut":[],\
                "ticket":"00","outcome":"%s"%s,"drawnAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(
                        key, activity, user, before(key), outcome, award == 0 ? "" : "," + prize(award)));
    }

    /** Returns the fields that say how many draws were booked before that of an order. */
    private String before(String key) throws SQLException {
        try (PreparedStatement count = connection.prepareStatement("""
                        WITH booked AS (
                            SELECT position, told ->> 'day' AS day, told ->> 'orderId' AS ordered,
                                (told ->> 'activityId') || '/' || (told ->> 'userId') AS account
                            FROM (SELECT position, convert_from(payload, 'UTF8')::jsonb AS told FROM event
                                  WHERE type IN ('account.chance-spent', 'account.order-used')) AS of_accounts
                            WHERE coalesce(told ->> 'open', 'false') = 'false')
                        SELECT count(*), count(*) FILTER (WHERE other.day = own.day)
                        FROM booked AS other JOIN booked AS own USING (account)
                        WHERE own.ordered = ? AND other.position < own.position""")) {
            count.setString(1, "order:" + key);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return "\"drawsBefore\":%d,\"drawsBeforeToday\":%d".formatted(row.getLong(1), row.getLong(2));
            }
        }
    }

    void win(String user, String key, int award) throws SQLException {
        win(0, user, key, award);
    }

    void win(long sequence, String user, String key, int award) throws SQLException {
        win(sequence, user, key, award, AT_ONCE);
    }

    /** Adds a win. A limited award is won with its last unit. */
    void win(long sequence, String user, String key, int award, String grant) throws SQLException {
        win(sequence, 100, user, key, award, award == COFFEE ? 0 : 3, grant, "");
    }

    /** Adds the win of a coffee instead of another award. */
    void winInsteadOf(String other, String key, int activity, String user, int slot) throws SQLException {
        win(0, activity, user, key, COFFEE, slot, AT_ONCE, ",\"insteadOf\":\"%s\"".formatted(other));
    }

    private void win(
            long sequence, long activity, String user, String key, int award, int slot, String grant, String more)
            throws SQLException {
        event("award:" + key, sequence, "award.won", """
                {"awardRecordId":"award:%s","activityId":%d,"userId":"%s",%s%s,"config":{},"grant":%s,"onFailure":"MANUAL"%s,\
                "wonAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(
                        key, activity, user, prize(award), slot(slot), grant, more));
    }

    void answer(String user, String key, long sequence, String name, String more) throws SQLException {
        event("award:" + key, sequence, name, """
                {"awardRecordId":"award:%s","userId":"%s"%s}""".formatted(key, user, more));
    }

    private static String prize(int award) {
        String what = switch (award) {
            case COFFEE -> "\"title\":\"Coffee\",\"type\":\"TEXT\"";
            case CINEMA -> "\"title\":\"Cinema\",\"type\":\"TEXT\",\"amount\":\"8.5\"";
            case CREDITS -> "\"title\":\"Points\",\"type\":\"CREDIT\",\"amount\":\"8.5\"";
            default -> "\"title\":\"Bicycle\",\"type\":\"PHYSICAL\"";
        };
        return """
                "award":{"awardId":%d,%s,"sort":%d}""".formatted(award, what, award - 100);
    }

    void event(String stream, long sequence, String name, String payload) throws SQLException {
        event(stream, sequence, name, payload, "{}");
    }

    private void event(String stream, long sequence, String name, String payload, String metadata) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                        WITH head AS (UPDATE event_head SET position = position + 1 RETURNING position)
                        INSERT INTO event (position, event_id, at, sequence, aggregate_id, type, payload, metadata)
                        SELECT position, gen_random_uuid(), '2026-11-30T04:00:01Z', ?, ?, ?, ?, ? FROM head""")) {
            insert.setLong(1, sequence);
            insert.setString(2, stream);
            insert.setString(3, name);
            insert.setBytes(4, payload.getBytes(UTF_8));
            insert.setBytes(5, metadata.getBytes(UTF_8));
            insert.executeUpdate();
        }
    }

    /** Returns the position of the newest event. */
    long newest() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet head = statement.executeQuery("SELECT position FROM event_head")) {
            head.next();
            return head.getLong(1);
        }
    }

    void sql(String statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }
}
