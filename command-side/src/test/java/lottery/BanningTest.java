package lottery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import lottery.Http.Response;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.ban.BanId;
import lottery.store.axon.HistoryReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@DisplayName("A banned user")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BanningTest {

    /** Longer than the five seconds that are promised: the machine may be slow. */
    private static final Duration SOON = Duration.ofSeconds(15);

    private static final Duration ATTEMPTS_MAX = Duration.ofSeconds(40);

    private static final String PARCELS = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "A mug", "type": "PHYSICAL", "rate": "1", "sort": 1}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 900, "month": 900, "day": 900},
                     {"sku": 2, "total": 1, "month": 1, "day": 1, "priceCredits": "5"}]""";

    private static final String FOR_EVER = """
            {"reason": "Many accounts"}""";

    private static final AtomicLong USERS = new AtomicLong();

    private final Http http;
    private final HistoryReader history;
    private final JdbcClient database;

    /** The role of the application may not lock tables. */
    private final JdbcClient ofOwner;

    private final TransactionTemplate transactionOfOwner;
    private final TestActivity activity;

    private ConfigurableApplicationContext otherNode;
    private Http elsewhere;

    @Autowired
    BanningTest(@LocalServerPort int port, HistoryReader history, JdbcClient database, Environment environment) {
        this.http = new Http(port);
        this.history = history;
        this.database = database;
        DataSource owner = new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password"));
        this.ofOwner = JdbcClient.create(owner);
        this.transactionOfOwner = new TransactionTemplate(new JdbcTransactionManager(owner));
        this.activity = TestActivity.open(http, PARCELS, CHANCES);
    }

    @BeforeAll
    void startAnotherNode() {
        otherNode = new SpringApplicationBuilder(TestLottery.class)
                .properties("server.port=0")
                .run();
        elsewhere = new Http(otherNode.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @AfterAll
    void stopIt() {
        otherNode.close();
    }

    private String someone() {
        String user = "banned-" + USERS.incrementAndGet();
        activity.recharge(user);
        return user;
    }

    private static String ban(String user) {
        return "/api/v1/users/" + user + "/ban";
    }

    private Response book(String user, String amount) {
        return http.post("/api/v1/users/" + user + "/credits/entries", """
                {"amount": "%s", "businessNo": "book%s"}""".formatted(amount, amount));
    }

    /** Returns all who are banned now, read in small pages. */
    private List<String> listed() {
        List<String> users = new ArrayList<>();
        String next = "";
        while (next != null) {
            String cursor = next.isEmpty() ? "" : "&cursor=" + next;
            JsonNode page = http.get("/api/v1/bans?limit=2" + cursor).json();
            page.path("items").forEach(ban -> users.add(ban.path("userId").asString()));
            next = page.path("next").isString() ? page.path("next").asString() : null;
        }
        return users;
    }

    private long events() {
        return database.sql("SELECT position FROM event_head").query(Long.class).single();
    }

    private static String code(Response refused) {
        return refused.json().path("code").asString();
    }

    @Test
    @DisplayName("A user spends nothing, in no way, and still gets and claims what was won before.")
    void spendsNothing() {
        String user = someone();
        String record =
                activity.draw(user, "before").json().path("awardRecordId").asString();
        String order = activity.partake(user).json().path("orderId").asString();
        assertThat(book(user, "20").status()).isEqualTo(201);
        String later = activity.recharge(user, "later-" + user, ", \"payLater\": true")
                .json()
                .path("rechargeId")
                .asString();
        Response banned = http.post(ban(user), FOR_EVER);
        assertThat(banned.status()).as(banned.text()).isEqualTo(201);
        assertThat(banned.header("Lottery-Position")).isNotEmpty();

        assertThat(listed()).contains(user);

        long before = events();
        List<Response> refused = List.of(
                activity.draw(user, "after"),
                activity.draw(user, "before"),
                activity.draw(user, "{\"count\": 3}", "three"),
                activity.partake(user),
                activity.drawOrder(order),
                activity.recharge(user, "more-" + user, ""),
                http.post(activity.account(user) + "/recharges", "{\"sku\": 2, \"outBusinessNo\": \"paid\"}"),
                book(user, "-5"));
        assertThat(refused).extracting(Response::status).containsOnly(403);
        assertThat(refused).extracting(BanningTest::code).containsOnly("USER_BANNED");
        assertThat(refused.getFirst().text()).contains(user).doesNotContain("Many accounts");
        assertThat(events()).isEqualTo(before);

        assertThat(http.post("/api/v1/award-records/" + record + "/claim", """
                {"name": "Ann", "phone": "1", "address": "1 High Street"}""").status())
                .isEqualTo(200);
        assertThat(http.post("/api/v1/recharges/" + later + "/completion", "").status())
                .isEqualTo(200);
        assertThat(activity.cancel(order).status()).isEqualTo(200);
        assertThat(book(user, "1").status()).isEqualTo(201);

        Response lifted = http.delete(ban(user));
        assertThat(lifted.status()).as(lifted.text()).isEqualTo(200);
        assertThat(lifted.header("Lottery-Position")).isNotEmpty();
        assertThat(listed()).doesNotContain(user);
        assertThat(activity.draw(user, "after").status()).isEqualTo(201);
    }

    @Test
    @DisplayName("The same request again is answered as before, and a ban in the past is refused.")
    void repeated() {
        String user = someone();
        String tomorrow = "{\"until\": \"2100-01-01T00:00:00Z\", \"reason\": \"Fraud\"}";
        assertThat(http.delete(ban(user)).status()).isEqualTo(404);
        assertThat(http.post(ban(user), FOR_EVER).status()).isEqualTo(201);
        Response again = http.post(ban(user), FOR_EVER);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(http.post(ban(user), tomorrow).status()).isEqualTo(201);
        assertThat(activity.draw(user, "one").text()).contains("until 2100-01-01T00:00:00Z");

        Response past = http.post(ban(user), tomorrow.replace("2100", "2020"));
        assertThat(code(past)).isEqualTo("INVALID");
        assertThat(past.json().path("findings").path(0).path("pointer").asString())
                .isEqualTo("/until");
        assertThat(http.post(ban(user), "{\"reason\": \" \"}").status()).isEqualTo(400);

        assertThat(http.delete(ban(user)).status()).isEqualTo(200);
        Response liftedAgain = http.delete(ban(user));
        assertThat(liftedAgain.status()).isEqualTo(200);
        assertThat(liftedAgain.header("Idempotency-Replayed")).isEqualTo("true");
    }

    @Test
    @DisplayName("A reason that cannot be read hides no ban.")
    void unreadable() {
        String user = someone();
        String other = someone();
        assertThat(http.post(ban(user), FOR_EVER).status()).isEqualTo(201);
        assertThat(http.post(ban(other), FOR_EVER).status()).isEqualTo(201);
        database.sql("UPDATE person_key SET sealed_key = 'gone:' || sealed_key WHERE user_id = ?")
                .param(user)
                .update();
        assertThat(listed()).contains(user, other);
        assertThat(http.get("/api/v1/bans?limit=100").json().path("items").valueStream())
                .filteredOn(
                        ban -> List.of(user, other).contains(ban.path("userId").asString()))
                .extracting(ban -> ban.path("reason").asString("-"))
                .containsExactlyInAnyOrder("-", "Many accounts");
    }

    @Test
    @DisplayName("A ban ends by itself at its end.")
    void endsByItself() {
        String user = someone();
        Instant end = Instant.now().plusSeconds(5);
        Response banned = http.post(ban(user), "{\"until\": \"%s\", \"reason\": \"A pause\"}".formatted(end));
        assertThat(banned.status()).as(banned.text()).isEqualTo(201);
        await().atMost(SOON).until(() -> {
            Response drawn = activity.draw(user, "one");
            boolean isOver = !Instant.now().isBefore(end);
            assertThat(drawn.status()).isIn(isOver ? List.of(201, 403) : List.of(403));
            return drawn.status() == 201;
        });
    }

    @Test
    @DisplayName("Another node knows of a ban, and of its end, within seconds.")
    void elsewhere() {
        String user = someone();
        String draws = activity.account(user) + "/draws";
        assertThat(elsewhere.post(draws, "").status()).isEqualTo(201);
        http.post(ban(user), FOR_EVER);
        await().atMost(SOON).until(() -> elsewhere.post(draws, "").status() == 403);
        elsewhere.delete(ban(user));
        assertThat(elsewhere.post(draws, "").status()).isEqualTo(201);
        await().atMost(SOON).until(() -> http.post(draws, "").status() == 201);
    }

    @Test
    @DisplayName("A process that no event reaches knows of a ban within seconds, and at once if it was suspended.")
    void withoutEvents() {
        UserId ann = new UserId(someone());
        UserId ben = new UserId(someone());
        AtomicReference<Duration> suspended = new AtomicReference<>(Duration.ZERO);
        InstantSource clock = () -> Instant.now().plus(suspended.get());
        BannedUsers deaf = new BannedUsers(history, clock);
        assertThatCode(() -> deaf.requireNotBanned(ann)).doesNotThrowAnyException();
        http.post(ban(ann.value()), FOR_EVER);
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThatThrownBy(() -> deaf.requireNotBanned(ann)).isInstanceOf(RefusedException.class));

        http.post(ban(ben.value()), FOR_EVER);
        suspended.set(Duration.ofSeconds(6));
        assertThatThrownBy(() -> deaf.requireNotBanned(ben)).isInstanceOf(RefusedException.class);
        http.delete(ban(ann.value()));
        suspended.set(Duration.ofSeconds(12));
        assertThatCode(() -> deaf.requireNotBanned(ann)).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("Users who are not banned are let through without a question to the database.")
    void noQuestion() {
        // Each attempt has its own bans: on a busy machine they may become too old before all users are checked.
        await().atMost(ATTEMPTS_MAX).untilAsserted(this::checksWithoutQuestion);
    }

    private void checksWithoutQuestion() {
        BannedUsers bans = new BannedUsers(history, InstantSource.system());
        transactionOfOwner.executeWithoutResult(_ -> {
            bans.requireNotBanned(new UserId("first"));
            ofOwner.sql("LOCK TABLE event IN ACCESS EXCLUSIVE MODE").update();
            // In another thread, which is not in this transaction: a question would wait for its end.
            CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 10_000; i++) {
                    bans.requireNotBanned(new UserId("user-" + i));
                }
            });
            assertThatCode(() -> others.get(4, TimeUnit.SECONDS)).doesNotThrowAnyException();
        });
    }

    @Test
    @DisplayName("A process that forgets older bans sees a ban that was made meanwhile.")
    void newerThanKnown() {
        String user = someone();
        BannedUsers bans = new BannedUsers(history, InstantSource.system());
        bans.requireNotBanned(new UserId(user));
        assertThat(http.post(ban(user), FOR_EVER).status()).isEqualTo(201);
        bans.forgetOlder(Instant.now());
        assertThatThrownBy(() -> bans.requireNotBanned(new UserId(user))).isInstanceOf(RefusedException.class);
    }

    @Test
    @DisplayName("After one more ban, a process reads that ban and no earlier one.")
    void onlyNew() {
        UserId early = new UserId(someone());
        UserId late = new UserId(someone());
        http.post(ban(early.value()), FOR_EVER);
        BannedUsers bans = new BannedUsers(history, InstantSource.system());
        assertThatThrownBy(() -> bans.requireNotBanned(early)).isInstanceOf(RefusedException.class);
        String change = "UPDATE event SET payload = ? WHERE aggregate_id = ?";
        byte[] payload = ofOwner.sql("SELECT payload FROM event WHERE aggregate_id = ?")
                .param(new BanId(early).text())
                .query(byte[].class)
                .single();
        ofOwner.sql(change)
                .params("unreadable".getBytes(UTF_8), new BanId(early).text())
                .update();
        try {
            http.post(ban(late.value()), FOR_EVER);
            bans.forget();
            assertThatThrownBy(() -> bans.requireNotBanned(late)).isInstanceOf(RefusedException.class);
            assertThatThrownBy(() -> bans.requireNotBanned(early)).isInstanceOf(RefusedException.class);
        } finally {
            ofOwner.sql(change).params(payload, new BanId(early).text()).update();
        }
        http.delete(ban(late.value()));
        bans.forget();
        assertThatCode(() -> bans.requireNotBanned(late)).doesNotThrowAnyException();
    }
}
