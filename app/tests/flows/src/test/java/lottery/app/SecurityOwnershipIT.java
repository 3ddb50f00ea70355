package lottery.app;

import static lottery.app.TokenLottery.MUGS;
import static lottery.app.TokenLottery.TEA;
import static lottery.app.TokenLottery.as;
import static lottery.app.TokenLottery.lottery;
import static lottery.app.TokenLottery.nextNumber;
import static lottery.app.TokenLottery.opened;
import static lottery.app.TokenLottery.submitted;
import static lottery.app.TokenLottery.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

@DisplayName("A lottery that many players use")
@Order(2)
class SecurityOwnershipIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    @BeforeAll
    static void open() {
        TokenLottery.open();
    }

    @Test
    @DisplayName("wants a key from a player who draws, and from everybody where the activity says so")
    void keys() {
        int activity = opened(TEA);
        int strict = opened(submitted(TEA, "\"keysRequired\": true"));
        String ann = token("ann", "player");
        String front = token("shop", "front");
        for (String wish : List.of("/draws", "/raffle-orders")) {
            requireKeyWanted(keyless(ann, activity, wish));
            requireKeyWanted(keyless(front, strict, wish));
            assertThat(keyless(front, activity, wish).code())
                    .as("a front is asked for no key, and ann has no chance")
                    .isEqualTo("QUOTA_TOTAL");
        }
        String shown = "/api/v1/activities/" + strict;
        await().atMost(SOON)
                .until(() -> as(ann, HttpMethod.GET, shown, null)
                        .json()
                        .path("keysRequired")
                        .asBoolean());
    }

    @Test
    @DisplayName("lets fronts say what they know of a user, and no player")
    void matters() {
        int activity = opened(TEA);
        String body = "{\"matters\": {\"age\": 21}}";
        for (String wish : List.of("/draws", "/raffle-orders", "/entries")) {
            String path = "/api/v1/activities/%d/accounts/ann".formatted(activity) + wish;
            assertThat(as(token("ann", "player"), HttpMethod.POST, path, body).code())
                    .isEqualTo("FORBIDDEN");
            assertThat(as(token("shop", "front"), HttpMethod.POST, path, body).code())
                    .as("nothing but a chance is missing, or a pool")
                    .isEqualTo(wish.equals("/entries") ? "DRAW_MODE" : "QUOTA_TOTAL");
        }
        String[] waits = {
            "Authorization", "Bearer " + token("ann", "player"), "Prefer", "respond-async", "Idempotency-Key", "queued"
        };
        String path = "/api/v1/activities/%d/accounts/ann/draws".formatted(activity);
        assertThat(lottery().ask(HttpMethod.POST, path, body, waits).code()).isEqualTo("FORBIDDEN");
    }

    private static Reply keyless(String token, int activity, String wish) {
        String path = "/api/v1/activities/%d/accounts/ann".formatted(activity) + wish;
        return lottery().ask(HttpMethod.POST, path, null, "Authorization", "Bearer " + token);
    }

    private static void requireKeyWanted(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(428);
        assertThat(reply.code()).isEqualTo("KEY_REQUIRED");
        assertThat(reply.json().path("retryable").asBoolean()).isFalse();
    }

    @Test
    @DisplayName("shows a player what is his, and of others not even that it is there")
    void ownership() {
        int activity = opened(MUGS);
        String account = "/api/v1/activities/%d/accounts/ann".formatted(activity);
        String ann = token("ann", "player");
        String ben = token("ben", "player");
        String front = token("shop", "front");

        String recharge = account + "/recharges";
        String gift = "{\"sku\": 1, \"outBusinessNo\": \"gift-%d\"}".formatted(activity);
        assertThat(as(ann, HttpMethod.POST, recharge, gift).code())
                .as("for nothing")
                .isEqualTo("FORBIDDEN");
        assertThat(as(ann, HttpMethod.POST, recharge, gift.replace("1,", "2,")).code())
                .as("for credits")
                .isEqualTo("CREDITS_SHORT");
        Reply recharged = as(front, HttpMethod.POST, recharge, gift);
        assertThat(recharged.status()).as(recharged.text()).isEqualTo(201);

        String buy = "{\"sku\": 3, \"provider\": \"simulator\", \"outBusinessNo\": \"buy-%d\"}".formatted(activity);
        Reply ordered = as(ann, HttpMethod.POST, account + "/payments", buy);
        assertThat(ordered.status()).as(ordered.text()).isEqualTo(201);
        String payment = "/api/v1/payments/" + ordered.json().path("paymentId").asString();

        Reply drawn = as(ann, HttpMethod.POST, account + "/draws", null);
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        Reply taken = as(ann, HttpMethod.POST, account + "/raffle-orders", null);
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        String order = "/api/v1/raffle-orders/" + taken.json().path("orderId").asString();
        String drawnOrder =
                "/api/v1/raffle-orders/" + drawn.json().path("orderId").asString();
        String record =
                "/api/v1/award-records/" + drawn.json().path("awardRecordId").asString();
        String position = "?after=" + drawn.headers().getFirst("Lottery-Position");
        String address = "{\"name\": \"Ben\", \"phone\": \"1\", \"address\": \"1 High Street\"}";

        String wheel = "/api/v1/activities/%d/awards?userId=ann".formatted(activity);
        for (String own : List.of(account, account + "/awards", wheel)) {
            assertThat(as(ann, HttpMethod.GET, own, null).status()).as(own).isEqualTo(200);
            assertThat(as(ben, HttpMethod.GET, own, null).code()).as(own).isEqualTo("NOT_FOUND");
        }
        String byArray = wheel.replace("userId=", "userId%5B%5D=");
        assertThat(as(ben, HttpMethod.GET, byArray, null).code()).isEqualTo("NOT_FOUND");

        List<Reply> strangers = List.of(
                as(ben, HttpMethod.POST, account + "/draws", null),
                as(ben, HttpMethod.POST, account + "/raffle-orders", null),
                as(ben, HttpMethod.POST, recharge, gift),
                as(ben, HttpMethod.GET, order, null),
                as(ben, HttpMethod.POST, order + "/draw", null),
                as(ben, HttpMethod.POST, order + "/cancellation", null),
                as(ben, HttpMethod.GET, drawnOrder + "/proof", null),
                as(ben, HttpMethod.GET, record + position, null),
                as(ben, HttpMethod.POST, record + "/claim", address),
                as(ben, HttpMethod.GET, record + "/code", null),
                as(
                        ben,
                        HttpMethod.GET,
                        "/api/v1/recharges/"
                                + recharged.json().path("rechargeId").asString(),
                        null),
                as(ben, HttpMethod.POST, account + "/payments", buy),
                as(ben, HttpMethod.GET, account + "/payments", null),
                as(ben, HttpMethod.GET, payment, null),
                as(ben, HttpMethod.GET, payment + "/qr.png", null),
                as(ben, HttpMethod.POST, "/api/v1/activity-choices", "{\"treeId\": 1, \"userId\": \"ann\"}"));
        assertThat(strangers).extracting(Reply::code).containsOnly("NOT_FOUND");

        assertThat(as(ann, HttpMethod.GET, order, null).status()).isEqualTo(200);
        assertThat(as(ann, HttpMethod.GET, payment, null).status()).isEqualTo(200);
        assertThat(as(ann, HttpMethod.GET, drawnOrder + "/proof", null).status())
                .isEqualTo(200);
        assertThat(as(ann, HttpMethod.GET, record + position, null).status()).isEqualTo(200);
        assertThat(as(ann, HttpMethod.POST, order + "/cancellation", null).status())
                .isEqualTo(200);
        assertThat(as(ann, HttpMethod.POST, record + "/claim", address).status())
                .isEqualTo(200);

        String fulfilment = "{\"result\": \"GRANTED\", \"reference\": \"parcel\"}";
        assertThat(as(token("coupons", "fulfilment:COUPON"), HttpMethod.POST, record + "/fulfilments", fulfilment)
                        .code())
                .as("of another type")
                .isEqualTo("NOT_FOUND");
        assertThat(as(token("parcels", "fulfilment:PHYSICAL"), HttpMethod.POST, record + "/fulfilments", fulfilment)
                        .status())
                .isEqualTo(200);

        assertThat(StoredFacts.actorsOf("activity.submitted", activity)).containsExactly("olga operator");
        assertThat(StoredFacts.actorsOf("activity.passed", activity)).containsExactly("paul approver");
        assertThat(StoredFacts.actorsOf("account.recharged", activity)).containsExactly("shop front");
        assertThat(StoredFacts.actorsOf("raffle.drawn", activity)).containsExactly("ann player");
        assertThat(new TreeSet<>(StoredFacts.actorsOf("activity.started", activity)))
                .as("by its operator, or by the lottery itself")
                .isSubsetOf("olga operator", "- -");
    }

    @Test
    @DisplayName("notes who of the staff has read what about persons, and not what players and fronts read")
    void personalReads() throws Exception {
        String dora = "dora-" + nextNumber();
        String player = "ann-" + nextNumber();
        String credits = "/api/v1/users/%s/credits".formatted(player);
        for (String role : List.of("desk", "front")) {
            assertThat(as(token(dora, role), HttpMethod.GET, credits, null).status())
                    .isEqualTo(200);
        }
        assertThat(as(token(player, "player"), HttpMethod.GET, credits, null).status())
                .isEqualTo(200);
        String reads = "/api/v1/ops/personal-reads?actor=";
        JsonNode noted = as(token("audrey", "auditor"), HttpMethod.GET, reads + dora, null)
                .json()
                .path("reads");
        assertThat(noted).singleElement().satisfies(read -> {
            assertThat(read.path("role").asString()).isEqualTo("desk");
            assertThat(read.path("path").asString()).isEqualTo(credits);
            assertThat(read.path("traceId").asString()).isNotEmpty();
        });
        String both = "dirk-" + nextNumber();
        as(token(both, "front", "desk"), HttpMethod.GET, credits, null);
        assertThat(as(token("audrey", "auditor"), HttpMethod.GET, reads + both, null)
                        .json()
                        .path("reads"))
                .hasSize(1);
        assertThat(as(token("audrey", "auditor"), HttpMethod.GET, reads + player, null)
                        .json()
                        .path("reads"))
                .isEmpty();
    }

    @Test
    @DisplayName("records the whole query of such a read, also if something long stands before the user's name")
    void longQuery() throws Exception {
        String dora = "dora-" + nextNumber();
        String wheel = "/api/v1/activities/%d/awards?x=%s&userId=ann".formatted(nextNumber(), "x".repeat(1_500));
        as(token(dora, "desk"), HttpMethod.GET, wheel, null);
        assertThat(as(token("audrey", "auditor"), HttpMethod.GET, "/api/v1/ops/personal-reads?actor=" + dora, null)
                        .json()
                        .path("reads"))
                .singleElement()
                .satisfies(read -> assertThat(read.path("path").asString()).isEqualTo(wheel));
    }
}
