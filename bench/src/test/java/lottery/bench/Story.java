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
import java.util.stream.Stream;

/** A history in a database, with its read models, as tests tell it. */
final class Story {

    private static final List<Path> MIGRATIONS = List.of(
            Path.of("../db/src/main/resources/db/migration"), Path.of("../query-side/src/main/resources/db/migration"));

    static final String ANN = "account:0e:100:ann";
    static final String BOB = "account:21:100:bob";

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
     * was noted) on the last of November, and on the first of December an award that is rejected.
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
        project();
    }

    private void project() throws SQLException {
        sql("""
            INSERT INTO view_award VALUES (7, 101, 'Coffee', NULL, 'TEXT', 1, 0, 1), (7, 102, 'Cinema', 'Two seats', 'TEXT', 2, 2, 1);
            INSERT INTO claim VALUES ('stock:100/102', '3', 'order:21-2', 22);
            INSERT INTO view_activity VALUES (100, 7, 'Spring', 'Asia/Shanghai', 'DOING', 3);
            INSERT INTO view_account VALUES (100, 'ann', 2, 2, 2, 2, 1, 1, '2026-11-30', 2, 12),
                                            (100, 'bob', 2, 2, 1, 1, 1, 1, '2026-12-01', 2, 13);
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

    void recharge(String account, long sequence, String user, int total, int month, int day) throws SQLException {
        event(account, sequence, "account.recharged", """
                {"activityId":100,"userId":"%s","rechargeId":"recharge:%s-%d","bundle":{"total":%d,"month":%d,"day":%d}}""".formatted(user, user, sequence, total, month, day));
    }

    void spend(String account, long sequence, String user, String key, String day) throws SQLException {
        event(account, sequence, "account.chance-spent", """
                {"activityId":100,"userId":"%s","orderId":"order:%s","day":"%s"}""".formatted(user, key, day));
    }

    void draw(String user, String key, String outcome, int award) throws SQLException {
        draw("order:" + key, 0, user, key, outcome, award);
    }

    void draw(String stream, long sequence, String user, String key, String outcome, int award) throws SQLException {
        event(stream, sequence, "raffle.drawn", """
                {"orderId":"order:%s","activityId":100,"userId":"%s","strategyId":7,"strategyVersion":1,"drawsBeforeToday":0,\
                "ticket":"00","outcome":"%s"%s,"drawnAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(
                        key, user, outcome, award == 0 ? "" : "," + prize(award)));
    }

    void win(String user, String key, int award) throws SQLException {
        win(0, user, key, award);
    }

    void win(long sequence, String user, String key, int award) throws SQLException {
        event("award:" + key, sequence, "award.won", """
                {"awardRecordId":"award:%s","activityId":100,"userId":"%s",%s,"config":{},"wonAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(key, user, prize(award)));
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
