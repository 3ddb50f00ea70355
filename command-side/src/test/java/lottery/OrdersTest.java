package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import lottery.Http.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@DisplayName("Orders of a user with chances for three draws a day")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class OrdersTest {

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.5", "sort": 2, "lockedUntilDraws": 1}]""";

    private static final String THREE_A_DAY = """
            "zone": "%s", "skus": [{"sku": 1, "total": 10, "month": 5, "day": 3}]""".formatted(TestActivity.MIDDAY_ZONE);

    private final Http http;
    private final JdbcClient database;
    private final TestActivity activity;

    @Autowired
    OrdersTest(@LocalServerPort int port, JdbcClient database) {
        this.http = new Http(port);
        this.database = database;
        this.activity = TestActivity.open(http, RULES, THREE_A_DAY);
        activity.recharge("ann");
    }

    private static String orderOf(Response partaken) {
        return partaken.json().get("orderId").asString();
    }

    private static String code(Response refused) {
        return refused.json().get("code").asString();
    }

    private String state(String orderId) {
        return http.get("/api/v1/raffle-orders/" + orderId).json().get("state").asString();
    }

    private long events() {
        return database.sql("SELECT position FROM event_head").query(Long.class).single();
    }

    @Nested
    @DisplayName("Taking an order")
    class Partaking {

        @Test
        @DisplayName("A user gets the same order while it is open, for one chance.")
        void openOrderIsReused() {
            Response first = activity.partake("ann");
            assertThat(first.status()).isEqualTo(201);
            assertThat(first.json().get("state").asString()).isEqualTo("CREATED");
            assertThat(first.header("Location")).isEqualTo("/api/v1/raffle-orders/" + orderOf(first));
            Response again = activity.partake("ann");
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(state(orderOf(first))).isEqualTo("CREATED");
            assertThat(draw(3)).hasSize(3);
        }

        @Test
        @DisplayName("A user gets one order, however many requests come at once.")
        void once() throws Exception {
            Set<String> orders = new HashSet<>();
            int created = 0;
            for (Response answer :
                    TestActivity.inParallel(50, i -> TestActivity.insist(() -> activity.partake("ann", "key-" + i)))) {
                assertThat(answer.status()).as(answer.text()).isIn(200, 201);
                created += answer.status() == 201 ? 1 : 0;
                orders.add(orderOf(answer));
            }
            assertThat(orders).hasSize(1);
            assertThat(created).isEqualTo(1);
            assertThat(draw(3)).hasSize(3);
        }

        @Test
        @DisplayName("A repeated request gets its order, also when that was drawn.")
        void keyedForEver() {
            Response first = activity.partake("ann", "take");
            activity.drawOrder(orderOf(first));
            Response repeated = activity.partake("ann", "take");
            assertThat(repeated.status()).isEqualTo(200);
            assertThat(repeated.text()).isEqualTo(first.text());
            assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(draw(3)).hasSize(2);
        }

        @Test
        @DisplayName("A request that met an open order is answered with it for ever.")
        void keyedReuse() {
            String open = orderOf(activity.partake("ann"));
            assertThat(orderOf(activity.partake("ann", "second"))).isEqualTo(open);
            activity.drawOrder(open);
            assertThat(orderOf(activity.partake("ann", "second"))).isEqualTo(open);
            assertThat(draw(3)).hasSize(2);
        }

        @Test
        @DisplayName("A user without a chance gets no order.")
        void needsAChance() {
            draw(3);
            assertThat(code(activity.partake("ann"))).isEqualTo("QUOTA_DAY");
            assertThat(code(activity.partake("nobody"))).isEqualTo("QUOTA_TOTAL");
            activity.transition("close");
            assertThat(code(activity.partake("ann"))).isEqualTo("ACTIVITY_NOT_OPEN");
        }
    }

    @Nested
    @DisplayName("An open order")
    class WithOrder {

        private final String order = orderOf(activity.partake("ann"));

        @Test
        @DisplayName("An order is drawn once.")
        void drawn() {
            Response draw = activity.drawOrder(order);
            assertThat(draw.status()).isEqualTo(201);
            assertThat(orderOf(draw)).isEqualTo(order);
            assertThat(code(activity.drawOrder(order))).isEqualTo("ORDER_USED");
            JsonNode seen = http.get("/api/v1/raffle-orders/" + order).json();
            assertThat(seen.get("state").asString()).isEqualTo("USED");
            assertThat(seen.get("outcome")).isEqualTo(draw.json().get("outcome"));
        }

        @Test
        @DisplayName(
                "An order is drawn once per key, also for 50 requests at once, and the key is good for nothing else.")
        void drawnWithKey() throws Exception {
            Set<String> answers = new HashSet<>();
            for (Response answer :
                    TestActivity.inParallel(50, i -> TestActivity.insist(() -> activity.drawOrder(order, "same")))) {
                assertThat(answer.status()).as(answer.text()).isIn(200, 201);
                answers.add(answer.text());
            }
            assertThat(answers).hasSize(1);
            assertThat(code(activity.drawOrder(order, "other"))).isEqualTo("ORDER_USED");
            String next = orderOf(activity.partake("ann"));
            assertThat(code(activity.drawOrder(next, "same"))).isEqualTo("KEY_REUSED");
            assertThat(state(next)).isEqualTo("CREATED");
            assertThat(code(activity.cancel(next, "same"))).isEqualTo("KEY_REUSED");
        }

        @Test
        @DisplayName("A draw request draws the open order first, and its key gets that draw for ever.")
        void usedFirst() {
            Response draw = activity.draw("ann", "next");
            assertThat(draw.status()).isEqualTo(201);
            assertThat(orderOf(draw)).isEqualTo(order);
            Response repeated = activity.draw("ann", "next");
            assertThat(repeated.status()).isEqualTo(200);
            assertThat(repeated.text()).isEqualTo(draw.text());
            assertThat(draw(3)).hasSize(2);
        }

        @Test
        @DisplayName("An open order is no draw: it opens no lock before it is drawn.")
        void noDrawYet() {
            activity.drawOrder(order);
            activity.draw("ann", "second");
            List<@Nullable Integer> before = database.sql(
                            "SELECT (payload ->> 'drawsBeforeToday')::int FROM event_readable"
                                    + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ? ORDER BY position")
                    .param(activity.id)
                    .query(Integer.class)
                    .list();
            assertThat(before).containsExactly(0, 1);
        }

        @Test
        @DisplayName("A cancelled order returns its chance.")
        void cancelled() {
            Response cancelled = activity.cancel(order);
            assertThat(cancelled.status()).isEqualTo(200);
            assertThat(cancelled.json().get("state").asString()).isEqualTo("CANCELLED");
            assertThat(state(order)).isEqualTo("CANCELLED");
            assertThat(code(activity.drawOrder(order))).isEqualTo("ORDER_CANCELLED");
            assertThat(code(activity.cancel(order))).isEqualTo("ORDER_CANCELLED");
            assertThat(draw(4)).hasSize(3);
        }

        @Test
        @DisplayName("An order is cancelled once per key, with the same answer each time.")
        void cancelledWithKey() {
            Response cancelled = activity.cancel(order, "off");
            Response repeated = activity.cancel(order, "off");
            assertThat(repeated.status()).isEqualTo(200);
            assertThat(repeated.text()).isEqualTo(cancelled.text());
            assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(draw(4)).hasSize(3);
        }

        @Test
        @DisplayName("An order that was drawn cannot be cancelled.")
        void notAfterTheDraw() {
            activity.drawOrder(order);
            assertThat(code(activity.cancel(order))).isEqualTo("ORDER_USED");
        }

        @Test
        @DisplayName("An order is drawn or cancelled, never both, when all requests come at once.")
        void drawOrCancel() throws Exception {
            List<Response> answers = TestActivity.inParallel(40, i -> switch (i % 3) {
                case 0 -> activity.drawOrder(order);
                case 1 -> activity.cancel(order);
                default -> activity.draw("ann", "key-" + i);
            });
            assertThat(answers)
                    .allMatch(answer -> answer.status() < 500 || code(answer).equals("BUSY"));
            long drawn = database.sql("SELECT count(*) FROM event_readable"
                            + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ?")
                    .param(activity.id)
                    .query(Long.class)
                    .single();
            assertThat(drawn).isEqualTo(3);
            assertThat(state(order)).isIn("USED", "CANCELLED");
        }

        @Test
        @DisplayName("An order of a closed activity can be cancelled, but not drawn.")
        void closed() {
            activity.transition("close");
            assertThat(code(activity.drawOrder(order))).isEqualTo("ACTIVITY_NOT_OPEN");
            assertThat(activity.cancel(order).status()).isEqualTo(200);
        }
    }

    @Nested
    @DisplayName("Several draws at once")
    class Several {

        @Test
        @DisplayName("A user gets as many draws as there are chances, and the reason why there are no more.")
        void asManyAsThereAre() {
            Response answer = activity.draw("ann", "{\"count\": 5}", "five");
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.json().get("draws").size()).isEqualTo(3);
            assertThat(answer.json().get("notDrawn").get("count").asInt()).isEqualTo(2);
            assertThat(answer.json().get("notDrawn").get("code").asString()).isEqualTo("QUOTA_DAY");
            List<String> orders = new ArrayList<>();
            answer.json()
                    .get("draws")
                    .forEach(draw -> orders.add(draw.get("orderId").asString()));
            assertThat(orders)
                    .doesNotHaveDuplicates()
                    .allMatch(order -> state(order).equals("USED"));
        }

        @Test
        @DisplayName("The same key gets the same answer, and is refused for another number of draws.")
        void repeated() {
            Response answer = activity.draw("ann", "{\"count\": 2}", "two");
            Response repeated = activity.draw("ann", "{\"count\": 2}", "two");
            assertThat(repeated.status()).isEqualTo(200);
            assertThat(repeated.text()).isEqualTo(answer.text());
            assertThat(code(activity.draw("ann", "{\"count\": 3}", "two"))).isEqualTo("KEY_REUSED");
            assertThat(code(activity.draw("ann", "two"))).isEqualTo("KEY_REUSED");
            assertThat(code(activity.partake("ann", "two"))).isEqualTo("KEY_REUSED");
            assertThat(activity.draw("ann", "three").status()).isEqualTo(201);
            assertThat(code(activity.draw("ann", "{\"count\": 2}", "three"))).isEqualTo("KEY_REUSED");
            assertThat(activity.draw("ann", "{\"count\": 1}", "three").status()).isEqualTo(200);
        }

        @Test
        @DisplayName("The open order is drawn first.")
        void openOrderFirst() {
            String order = orderOf(activity.partake("ann"));
            JsonNode draws =
                    activity.draw("ann", "{\"count\": 10}", "ten").json().get("draws");
            assertThat(draws.size()).isEqualTo(3);
            assertThat(draws.get(0).get("orderId").asString()).isEqualTo(order);
        }

        @Test
        @DisplayName("Several draws are refused if there is no chance for the first one.")
        void none() {
            draw(3);
            long before = events();
            assertThat(code(activity.draw("ann", "{\"count\": 2}", "more"))).isEqualTo("QUOTA_DAY");
            assertThat(events()).isEqualTo(before);
        }

        @Test
        @DisplayName("A request asks for 1 to 10 draws.")
        void bounds() {
            for (int count : new int[] {-1, 0, 11}) {
                assertThat(activity.draw("ann", "{\"count\": %d}".formatted(count), "k")
                                .status())
                        .isEqualTo(400);
            }
        }
    }

    private Response wish(String order, String wish, String key) {
        return switch (wish) {
            case "partake" -> activity.partake("ann", key);
            case "draw" -> activity.draw("ann", key);
            case "draw twice" -> activity.draw("ann", "{\"count\": 2}", key);
            case "draw the order" -> activity.drawOrder(order, key);
            case "cancel the order" -> activity.cancel(order, key);
            default -> throw new IllegalArgumentException(wish);
        };
    }

    static Stream<Arguments> pairs() {
        List<String> all = List.of("partake", "draw", "draw twice", "draw the order", "cancel the order");
        return all.stream()
                .flatMap(first -> all.stream()
                        .filter(second -> !second.equals(first))
                        .map(second -> Arguments.of(first, second)));
    }

    @ParameterizedTest(name = "{0}, then {1}")
    @MethodSource("pairs")
    @DisplayName("A key gets the same answer each time for one request, and is refused for any other.")
    void oneWishPerKey(String first, String second) {
        boolean needsOrder = first.endsWith("the order") || second.endsWith("the order");
        String order =
                needsOrder ? orderOf(activity.partake("ann", first.equals("partake") ? "key" : "another")) : "none";
        Response made = first.equals("partake") && needsOrder
                ? http.get("/api/v1/raffle-orders/" + order)
                : wish(order, first, "key");
        assertThat(made.status()).as(made.text()).isIn(200, 201);
        long before = events();

        Response refused = wish(order, second, "key");

        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(code(refused)).isEqualTo("KEY_REUSED");
        assertThat(events()).isEqualTo(before);
        Response repeated = wish(order, first, "key");
        assertThat(repeated.status()).as(repeated.text()).isEqualTo(200);
        assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(events()).isEqualTo(before);
    }

    @Test
    @DisplayName("A request with an unexpected body is refused.")
    void needlessBody() {
        Response refused =
                http.post("/api/v1/activities/" + activity.id + "/accounts/ann/raffle-orders", "{\"count\": 3}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/count");
        assertThat(http.post("/api/v1/activities/" + activity.id + "/accounts/ann/raffle-orders", "{}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    @DisplayName("An order that does not exist is not found.")
    void unknown() {
        String unknown = "order:33-07226822-d971-81cf-8edd-f6a317c687d5";
        assertThat(code(activity.drawOrder(unknown))).isEqualTo("NOT_FOUND");
        assertThat(code(activity.cancel(unknown))).isEqualTo("NOT_FOUND");
        assertThat(activity.cancel("nonsense").status()).isEqualTo(400);
    }

    @Test
    @DisplayName("A request for several draws is shown with all of them, under its own id.")
    void ofSeveralDraws() {
        activity.draw("ann", "{\"count\": 2}", "two");
        String request = database.sql("SELECT aggregate_id FROM event_readable WHERE type = 'raffle.request-answered'"
                        + " AND (payload ->> 'activityId')::bigint = ?")
                .param(activity.id)
                .query(String.class)
                .single();
        assertThat(http.get("/api/v1/raffle-orders/" + request).json().path("draws"))
                .hasSize(2);
    }

    @Test
    @DisplayName("A user is refused when all participations of the activity are taken, until an order is cancelled.")
    void participations() {
        TestActivity small = TestActivity.open(http, RULES, "\"participationsMax\": 3, " + THREE_A_DAY);
        small.recharge("ann");
        small.recharge("ben");
        String order = orderOf(small.partake("ben"));
        assertThat(small.draw("ann", "{\"count\": 3}", "three")
                        .json()
                        .get("notDrawn")
                        .get("code")
                        .asString())
                .isEqualTo("ACTIVITY_FULL");
        assertThat(code(small.draw("ann", "more"))).isEqualTo("ACTIVITY_FULL");
        assertThat(small.cancel(order).status()).isEqualTo(200);
        assertThat(small.draw("ann", "more").status()).isEqualTo(201);
        assertThat(code(small.partake("ben"))).isEqualTo("ACTIVITY_FULL");
    }

    private List<Response> draw(int times) {
        List<Response> made = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Response draw = activity.draw("ann", "draw-" + events() + "-" + i);
            if (draw.status() == 201) {
                made.add(draw);
            }
        }
        return made;
    }
}
