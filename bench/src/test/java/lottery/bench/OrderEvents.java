package lottery.bench;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Adds to a history what happens to orders, and the answers to the requests for them. */
final class OrderEvents {

    private final HistoryStore history;

    OrderEvents(HistoryStore history) {
        this.history = history;
    }

    void create(String key) throws SQLException {
        create(key, 0);
    }

    void create(String key, long sequence) throws SQLException {
        history.event("order:" + key, sequence, "raffle.order-created", """
                {"orderId":"order:%s","activityId":200,"userId":"cat","createdAt":"2026-11-30T04:00:00Z"}""".formatted(key));
    }

    void refuse(String key, long sequence) throws SQLException {
        history.event("order:" + key, sequence, "raffle.order-refused", """
                {"orderId":"order:%s","activityId":200,"userId":"cat","count":1,"reason":"QUOTA_DAY","about":"account:28:200:cat",\
                "queuedAt":"2026-11-30T04:00:00Z","refusedAt":"2026-11-30T04:00:01Z"}""".formatted(key));
    }

    void cancel(long sequence, String key) throws SQLException {
        history.event("order:" + key, sequence, "raffle.order-cancelled", """
                {"orderId":"order:%s","userId":"cat","cancelledAt":"2026-11-30T04:00:00Z"}""".formatted(key));
    }

    /** Adds an answer. With fewer orders than were asked for, it has a refusal, too. */
    void answered(String request, String wish, int count, String... orders) throws SQLException {
        answered(request, wish, count, orders.length < count, orders);
    }

    void answered(String request, String wish, int count, boolean refused, String... orders) throws SQLException {
        history.event("order:" + request, 0, "raffle.request-answered", """
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

    void draw(String stream, long sequence, long activity, String user, String key, String outcome, int award)
            throws SQLException {
        history.event(stream, sequence, "raffle.drawn", """
                {"orderId":"order:%s","activityId":%d,"userId":"%s","strategyId":7,"strategyVersion":1,%s,"soldOut":[],\
                "ticket":"00","outcome":"%s"%s,"drawnAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(
                        key, activity, user, before(key), outcome, award == 0 ? "" : "," + AwardEvents.prize(award)));
    }

    /** Returns the fields that say how many draws were booked before that of an order. */
    private String before(String key) throws SQLException {
        try (PreparedStatement count = history.connection().prepareStatement("""
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
}
