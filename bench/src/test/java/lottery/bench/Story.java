package lottery.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A history in a database, with its read models, as tests tell it. */
final class Story {

    private static final List<Path> MIGRATIONS = List.of(
            Path.of("../db/src/main/resources/db/migration"), Path.of("../query-side/src/main/resources/db/migration"));

    static final String ANN = "account:0e:100:ann";
    static final String BOB = "account:21:100:bob";
    static final String CAT = "account:33:200:cat";

    private static final String TWO = "{\"total\":2,\"month\":2,\"day\":2}";

    private final Database database;

    Story(Database database) {
        this.database = database;
    }

    /** The tables as the product itself makes them. */
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
    }

    void forget() throws SQLException {
        sql("""
                TRUNCATE event, claim, view_activity, view_award, view_account, view_win, view_win_step;
                UPDATE event_head SET position = 0""");
    }

    /**
     * Ann wins (granted in order) and on the next day draws nothing; Bob wins a fallback (granted before its dispatch
     * was noted) on the last of November, and on the first of December an award that is rejected. Cat, in an activity
     * that has only so much of everything, pays for a recharge later, lets another one pass, and leaves orders open:
     * she draws one on the next day, cancels one, and asks for three draws at once, of which two are made.
     */
    void tellSound() throws SQLException {
        event("strategy:7", 0, "strategy.defined", """
                {"strategyId":7,"version":1,"definition":{"mode":"SINGLE","awards":[\
                {"awardId":101,"title":"Coffee","type":"TEXT","rate":"0.5","sort":1,"lockedUntilDraws":0},\
                {"awardId":102,"title":"Cinema","subtitle":"Two seats","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":2,"stock":3}],"fallback":101}}""");
        event("activity:100", 0, "activity.created", """
                {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[{"sku":9001,"bundle":{"total":2,"month":2,"day":2}}]}}""");
        event("activity:100", 1, "activity.submitted", "{\"activityId\":100}");
        event("activity:100", 2, "activity.passed", "{\"activityId\":100}");
        event("activity:100", 3, "activity.started", """
                {"activityId":100,"round":1,"commitment":"66687aad","sealedSeed":"k1:AAEC"}""");
        recharge(ANN, 0, "ann", 2, 2, 1);
        recharge(BOB, 0, "bob", 2, 1, 1);
        spend(ANN, 1, "ann", "0e-1", "2026-11-29");
        draw("ann", "0e-1", "WON", 101);
        win("ann", "0e-1", 101);
        answer("ann", "0e-1", 1, "award.dispatched", "");
        answer("ann", "0e-1", 2, "award.granted", ",\"reference\":\"r1\"");
        spend(ANN, 2, "ann", "0e-2", "2026-11-30");
        draw("ann", "0e-2", "NOTHING", 0);
        spend(BOB, 1, "bob", "21-1", "2026-11-30");
        draw("bob", "21-1", "FALLBACK", 101);
        win("bob", "21-1", 101);
        answer("bob", "21-1", 1, "award.granted", ",\"reference\":\"r2\"");
        answer("bob", "21-1", 2, "award.dispatched", "");
        spend(BOB, 2, "bob", "21-2", "2026-12-01");
        draw("bob", "21-2", "WON", 102);
        win("bob", "21-2", 102);
        answer("bob", "21-2", 1, "award.grant-rejected", ",\"reference\":\"r3\",\"reason\":\"sold out\"");
        tellOfCat();
        project();
    }

    private void tellOfCat() throws SQLException {
        event("activity:200", 0, "activity.created", """
                {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"participationsMax":5,\
                "skus":[{"sku":9002,"bundle":{"total":2,"month":2,"day":2},"stock":3},{"sku":9003,"bundle":{"total":2,"month":2,"day":2}}]}}""");
        order("33-1", 9002, 1);
        added(CAT, 0, "33-1");
        complete("33-1", 1, 9002, 1);
        order("33-2", 9002, 2);
        close("33-2", 1);
        added(CAT, 1, "33-3");
        complete("33-3", 0, 9002, 2);
        open(2, "33-1", "2026-11-30", 1);
        create("33-1");
        answered("33-a", "PARTAKE", 1, "order:33-1");
        use(3, "33-1", "2026-12-01");
        drawOfCat(1, "33-1");
        answered("33-b", "DRAW", 1, "order:33-1");
        open(4, "33-2", "2026-12-01", 2);
        create("33-2");
        giveBack(5, "33-2", "2026-12-01");
        cancel(1, "33-2");
        answered("33-c", "CANCEL", 1, "order:33-2");
        spendOfCat(6, "33-3", "2026-12-01", 2);
        drawOfCat(0, "33-3");
        spendOfCat(7, "33-4", "2026-12-01", 3);
        drawOfCat(0, "33-4");
        answered("33-d", "DRAW", 3, "order:33-3", "order:33-4");
    }

    private void project() throws SQLException {
        sql("""
            INSERT INTO view_award VALUES (7, 101, 'Coffee', NULL, 'TEXT', 1, 0, 1), (7, 102, 'Cinema', 'Two seats', 'TEXT', 2, 2, 1);
            INSERT INTO claim VALUES ('stock:100/102', '3', 'order:21-2', 22),
                                     ('sku:200/9002', '1', 'recharge:33-1', 27), ('sku:200/9002', '2', 'recharge:33-3', 32),
                                     ('participations:200', '1', 'order:33-1', 34),
                                     ('participations:200', '2', 'order:33-3', 45),
                                     ('participations:200', '3', 'order:33-4', 45);
            INSERT INTO view_activity VALUES (100, 7, 'Spring', 'Asia/Shanghai', 'DOING', 3, '{}'),
                                             (200, 7, 'Autumn', 'Asia/Shanghai', 'EDIT', 0, '{}');
            INSERT INTO view_account VALUES (100, 'ann', 2, 2, 2, 2, 1, 1, '2026-11-30', 2, 15, NULL, '2026-11-30', 1),
                                            (100, 'bob', 2, 2, 1, 1, 1, 1, '2026-12-01', 2, 22, NULL, '2026-12-01', 1),
                                            (200, 'cat', 4, 3, 4, 2, 4, 2, '2026-12-01', 7, 47, NULL, '2026-12-01', 3);
            INSERT INTO view_win VALUES
                ('award:0e-1', 100, 'ann', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', 'GRANTED', 2),
                ('award:21-1', 100, 'bob', 101, 'Coffee', 'TEXT', 1, NULL, '2026-11-30T04:00:00.123457Z', 'GRANTED', 2),
                ('award:21-2', 100, 'bob', 102, 'Cinema', 'TEXT', 2, 8.5, '2026-11-30T04:00:00.123457Z', 'REJECTED', 1);
            INSERT INTO view_win_step VALUES
                ('award:0e-1', 0, 'WON', '2026-11-30T04:00:00.123457Z'),
                ('award:0e-1', 1, 'DISPATCHED', '2026-11-30T04:00:01Z'),
                ('award:0e-1', 2, 'GRANTED', '2026-11-30T04:00:01Z'),
                ('award:21-1', 0, 'WON', '2026-11-30T04:00:00.123457Z'),
                ('award:21-1', 1, 'GRANTED', '2026-11-30T04:00:01Z'),
                ('award:21-1', 2, 'DISPATCHED', '2026-11-30T04:00:01Z'),
                ('award:21-2', 0, 'WON', '2026-11-30T04:00:00.123457Z'),
                ('award:21-2', 1, 'REJECTED', '2026-11-30T04:00:01Z');
            """);
    }

    /** The recharge of a SKU without a limit, with its chances: two events. */
    void recharge(String account, long sequence, String user, int total, int month, int day) throws SQLException {
        String bundle = "{\"total\":%d,\"month\":%d,\"day\":%d}".formatted(total, month, day);
        added(account, sequence, user, user + "-" + sequence, bundle);
        event("recharge:%s-%d".formatted(user, sequence), 0, "recharge.completed", """
                {"rechargeId":"recharge:%s-%d","activityId":%s,"userId":"%s","sku":9001,"outBusinessNo":"b","bundle":%s}""".formatted(
                        user, sequence, activityOf(account), user, bundle));
    }

    private void added(String account, long sequence, String user, String recharge, String bundle) throws SQLException {
        event(account, sequence, "account.recharged", """
                {"activityId":%s,"userId":"%s","rechargeId":"recharge:%s","bundle":%s}""".formatted(activityOf(account), user, recharge, bundle));
    }

    /** Two chances for Cat. */
    void added(String account, long sequence, String recharge) throws SQLException {
        added(account, sequence, "cat", recharge, TWO);
    }

    /** A recharge of Cat's waits for its payment. */
    void order(String recharge, int sku, int slot) throws SQLException {
        event("recharge:" + recharge, 0, "recharge.ordered", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b","bundle":%s%s,\
                "payBy":"2026-11-30T04:10:00Z"}""".formatted(recharge, sku, TWO, slot(slot)));
    }

    void complete(String recharge, long sequence, int sku, int slot) throws SQLException {
        event("recharge:" + recharge, sequence, "recharge.completed", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b","bundle":%s%s}""".formatted(recharge, sku, TWO, slot(slot)));
    }

    void close(String recharge, long sequence) throws SQLException {
        event("recharge:" + recharge, sequence, "recharge.closed", """
                {"rechargeId":"recharge:%s","userId":"cat"}""".formatted(recharge));
    }

    void spend(String account, long sequence, String user, String key, String day) throws SQLException {
        spend(account, sequence, user, key, day, false, 0);
    }

    /** Cat spends a chance and draws at once. */
    void spendOfCat(long sequence, String key, String day, int slot) throws SQLException {
        spend(CAT, sequence, "cat", key, day, false, slot);
    }

    /** Cat spends a chance for an order that stays open. */
    void open(long sequence, String key, String day, int slot) throws SQLException {
        spend(CAT, sequence, "cat", key, day, true, slot);
    }

    private void spend(String account, long sequence, String user, String key, String day, boolean open, int slot)
            throws SQLException {
        event(account, sequence, "account.chance-spent", """
                {"activityId":%s,"userId":"%s","orderId":"order:%s","day":"%s","open":%s%s}""".formatted(
                        activityOf(account), user, key, day, open, slot(slot)));
    }

    private static String activityOf(String account) {
        return account.replaceFirst("account:..:(\\d+):.*", "$1");
    }

    void claim(String scope, int slot, String holder) throws SQLException {
        sql("INSERT INTO claim VALUES ('%s', '%d', '%s', 50)".formatted(scope, slot, holder));
    }

    /** No matter of which shelf. */
    void release(String holder) throws SQLException {
        sql("DELETE FROM claim WHERE holder = '%s'".formatted(holder));
    }

    /** 0: none. */
    private static String slot(int slot) {
        return slot == 0 ? "" : ",\"slot\":" + slot;
    }

    void use(long sequence, String key, String day) throws SQLException {
        ofChance("account.order-used", sequence, key, day);
    }

    void giveBack(long sequence, String key, String day) throws SQLException {
        ofChance("account.chance-returned", sequence, key, day);
    }

    private void ofChance(String name, long sequence, String key, String day) throws SQLException {
        event(CAT, sequence, name, """
                {"activityId":200,"userId":"cat","orderId":"order:%s","day":"%s"}""".formatted(key, day));
    }

    void create(String key) throws SQLException {
        event("order:" + key, 0, "raffle.order-created", """
                {"orderId":"order:%s","activityId":200,"userId":"cat","createdAt":"2026-11-30T04:00:00Z"}""".formatted(key));
    }

    void cancel(long sequence, String key) throws SQLException {
        event("order:" + key, sequence, "raffle.order-cancelled", """
                {"orderId":"order:%s","userId":"cat","cancelledAt":"2026-11-30T04:00:00Z"}""".formatted(key));
    }

    /** Fewer draws than asked for are answered with a refusal, too. */
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

    /** Cat draws nothing. */
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
                {"orderId":"order:%s","activityId":%d,"userId":"%s","strategyId":7,"strategyVersion":1,"drawsBeforeToday":0,\
                "ticket":"00","outcome":"%s"%s,"drawnAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(
                        key, activity, user, outcome, award == 0 ? "" : "," + prize(award)));
    }

    void win(String user, String key, int award) throws SQLException {
        win(0, user, key, award);
    }

    /** The limited award is won with its last slot. */
    void win(long sequence, String user, String key, int award) throws SQLException {
        event("award:" + key, sequence, "award.won", """
                {"awardRecordId":"award:%s","activityId":100,"userId":"%s",%s%s,"config":{},"wonAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(
                        key, user, prize(award), slot(award == 102 ? 3 : 0)));
    }

    void answer(String user, String key, long sequence, String name, String more) throws SQLException {
        event("award:" + key, sequence, name, """
                {"awardRecordId":"award:%s","userId":"%s"%s}""".formatted(key, user, more));
    }

    private static String prize(int award) {
        return """
                "award":{"awardId":%d,"title":"%s","type":"TEXT","sort":%d%s}""".formatted(
                award, award == 101 ? "Coffee" : "Cinema", award - 100, award == 102 ? ",\"amount\":\"8.5\"" : "");
    }

    void event(String stream, long sequence, String name, String payload) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement insert = connection.prepareStatement("""
                        WITH head AS (UPDATE event_head SET position = position + 1 RETURNING position)
                        INSERT INTO event (position, event_id, at, sequence, aggregate_id, type, payload, metadata)
                        SELECT position, gen_random_uuid(), '2026-11-30T04:00:01Z', ?, ?, ?, ?, '{}' FROM head""")) {
            insert.setLong(1, sequence);
            insert.setString(2, stream);
            insert.setString(3, name);
            insert.setBytes(4, payload.getBytes(UTF_8));
            insert.executeUpdate();
        }
    }

    /**
     * As a script: the server takes it apart, since the driver does not find the end of a function that is written in
     * SQL.
     */
    void sql(String statements) throws SQLException {
        Properties script = new Properties();
        script.setProperty("user", database.user());
        script.setProperty("password", database.password());
        script.setProperty("preferQueryMode", "simple");
        try (Connection connection = DriverManager.getConnection(database.url(), script);
                Statement statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }
}
