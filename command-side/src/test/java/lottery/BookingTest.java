package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.credit.CreditAccountId;
import org.axonframework.common.caching.Cache;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A booking of credits")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BookingTest {

    private static final Duration SNAPSHOT_MAX = Duration.ofSeconds(10);

    private static final AtomicLong USERS = new AtomicLong();

    private final Http http;
    private final JdbcClient database;
    private final Cache credits;

    private ConfigurableApplicationContext otherNode;
    private Http elsewhere;

    @Autowired
    BookingTest(@LocalServerPort int port, JdbcClient database, @Qualifier("creditCache") Cache credits) {
        this.http = new Http(port);
        this.database = database;
        this.credits = credits;
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

    private static String someone() {
        return "booker-" + USERS.incrementAndGet();
    }

    private static Response book(Http node, String user, String amount, String businessNo) {
        return node.post("/api/v1/users/" + user + "/credits/entries", """
                {"amount": "%s", "businessNo": "%s", "reason": "Why not"}""".formatted(amount, businessNo));
    }

    private Response book(String user, String amount, String businessNo) {
        return book(http, user, amount, businessNo);
    }

    /** Books on both nodes in turns, and repeats a request that is refused as busy. */
    private Response insist(int i, String user, String amount, String businessNo) {
        return TestActivity.insist(() -> book(i % 2 == 0 ? http : elsewhere, user, amount, businessNo));
    }

    private List<JsonNode> booked(String user) {
        return database
                .sql("SELECT convert_from(payload, 'UTF8') FROM event WHERE aggregate_id = ? ORDER BY sequence")
                .param(account(user))
                .query(String.class)
                .list()
                .stream()
                .map(JsonMapper.shared()::readTree)
                .toList();
    }

    private static String account(String user) {
        return new CreditAccountId(new UserId(user)).text();
    }

    private static String text(Response answer, String field) {
        return answer.json().get(field).asString();
    }

    @Test
    @DisplayName("A booking is answered with its line of the statement.")
    void line() {
        String user = someone();
        Response given = book(user, "100.50", "gift");
        assertThat(given.status()).as(given.text()).isEqualTo(201);
        assertThat(given.text())
                .startsWith("{\"entry\":1,\"amount\":\"100.5\",\"balance\":\"100.5\",\"businessNo\":\"gift\","
                        + "\"reason\":\"Why not\",\"at\":\"");
        Response spent = book(user, "-30", "shop");
        assertThat(spent.status()).isEqualTo(201);
        assertThat(text(spent, "amount")).isEqualTo("-30");
        assertThat(text(spent, "balance")).isEqualTo("70.5");
        assertThat(spent.json().get("entry").asLong()).isEqualTo(2);
    }

    @Test
    @DisplayName("A booking below zero is refused, also as the first one, and leaves its number free.")
    void tooMuch() {
        String user = someone();
        Response first = book(user, "-1", "shop");
        assertThat(first.status()).isEqualTo(409);
        assertThat(text(first, "code")).isEqualTo("CREDITS_SHORT");
        assertThat(first.json().get("retryable").asBoolean()).isFalse();
        assertThat(booked(user)).isEmpty();

        book(user, "1", "gift");
        assertThat(text(book(user, "-1.000001", "shop"), "detail")).contains(account(user) + " (1)");
        assertThat(book(user, "-1", "shop").status()).isEqualTo(201);
        assertThat(text(book(user, "-1", "another"), "code")).isEqualTo("CREDITS_SHORT");
    }

    @Test
    @DisplayName("A booking is made once for each number and user, however many follow it.")
    void repeated() {
        String user = someone();
        Response first = book(user, "30", "gift");
        book(user, "-30", "shop");
        Response again = book(elsewhere, user, "30.00", "gift");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.text()).isEqualTo(first.text());
        // The repeated request is not refused, although no credits are left: it was booked before.
        assertThat(book(user, "-30", "shop").status()).isEqualTo(200);
        assertThat(booked(user)).hasSize(2);

        Response other = book(user, "31", "gift");
        assertThat(other.status()).isEqualTo(422);
        assertThat(text(other, "code")).isEqualTo("KEY_REUSED");
        assertThat(book(someone(), "31", "gift").status()).isEqualTo(201);
    }

    private static Response decide(Http node, Response proposed, String decision) {
        return node.post(
                "/api/v1/ops/proposals/" + text(proposed, "proposalId") + "/decision", """
                {"decision": "%s"}""".formatted(decision));
    }

    @Test
    @DisplayName("A large booking is made once, when a second call agrees to it. Up to the limit one call is enough.")
    void large() {
        String user = someone();
        assertThat(book(user, "1000", "limit").status()).isEqualTo(201);
        Response proposed = book(user, "1000.000001", "prize");
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(text(proposed, "state")).isEqualTo("PROPOSED");
        assertThat(book(elsewhere, user, "1000.000001", "prize").text()).isEqualTo(proposed.text());
        assertThat(text(book(user, "1001", "prize"), "code")).isEqualTo("KEY_REUSED");
        assertThat(booked(user)).hasSize(1);

        Response confirmed = decide(elsewhere, proposed, "AGREE");
        assertThat(confirmed.status()).as(confirmed.text()).isEqualTo(200);
        assertThat(text(confirmed, "state")).isEqualTo("AGREED");
        assertThat(decide(http, proposed, "AGREE").text()).isEqualTo(confirmed.text());
        assertThat(text(decide(http, proposed, "DECLINE"), "code")).isEqualTo("PROPOSAL_STATE");
        Response again = book(user, "1000.000001", "prize");
        assertThat(again.status()).isEqualTo(200);
        assertThat(text(again, "balance")).isEqualTo("2000.000001");
        assertThat(booked(user)).hasSize(2);
    }

    @Test
    @DisplayName("A large amount that is spent waits for a second call, too, and for enough credits.")
    void largeSpent() {
        String user = someone();
        Response proposed = book(user, "-1500", "shop");
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(text(decide(http, proposed, "AGREE"), "code")).isEqualTo("CREDITS_SHORT");
        book(user, "900", "one");
        assertThat(text(decide(http, proposed, "AGREE"), "code")).isEqualTo("CREDITS_SHORT");
        // The other node has to see what this one has booked since.
        decide(elsewhere, proposed, "AGREE");
        book(user, "900", "two");
        assertThat(text(decide(elsewhere, proposed, "AGREE"), "state")).isEqualTo("AGREED");

        Response declined = book(user, "-1500", "another");
        assertThat(text(decide(http, declined, "DECLINE"), "state")).isEqualTo("DECLINED");
        Response refused = book(user, "-1500", "another");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(text(refused, "code")).isEqualTo("PROPOSAL_STATE");
        assertThat(text(decide(http, declined, "AGREE"), "code")).isEqualTo("PROPOSAL_STATE");
        assertThat(booked(user)).hasSize(3);
    }

    @Test
    @DisplayName("Parallel confirmations book once.")
    void confirmedAtOnce() throws Exception {
        String user = someone();
        Response proposed = book(user, "5000", "prize");
        List<Response> answers = TestActivity.inParallel(
                20, i -> TestActivity.insist(() -> decide(i % 2 == 0 ? http : elsewhere, proposed, "AGREE")));
        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(booked(user)).hasSize(1);
    }

    @Test
    @DisplayName("A booking that nobody has proposed is not found.")
    void neverProposed() {
        String unknown = "/api/v1/ops/proposals/proposal:33-e5173994-fc37-8861-b836-9cad666a564f";
        assertThat(http.post(unknown + "/decision", "{\"decision\": \"AGREE\"}").status())
                .isEqualTo(404);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            {"businessNo": "b"}                                       | /amount
            {"amount": null, "businessNo": "b"}                       | /amount
            {"amount": "0", "businessNo": "b"}                        | /amount
            {"amount": "0.0000001", "businessNo": "b"}                | /amount
            {"amount": "1e3", "businessNo": "b"}                      | /amount
            {"amount": "1000000000000", "businessNo": "b"}            | /amount
            {"amount": "1"}                                           | /businessNo
            {"amount": "1", "businessNo": " "}                        | /businessNo
            {"amount": "1", "businessNo": "a\\u0000b"}                | /businessNo
            {"amount": "1", "businessNo": "award:33-1"}               | /businessNo
            {"amount": "1", "businessNo": "b", "reason": "a\\nb"}     | /reason
            """)
    @DisplayName("An invalid booking is refused with the place of each flaw.")
    void malformed(String body, String pointer) {
        String user = someone();
        Response refused = http.post("/api/v1/users/" + user + "/credits/entries", body);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo(pointer);
        assertThat(booked(user)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 129})
    @DisplayName("A business number has at most 128 characters, whatever their size in bytes.")
    void longest(int length) {
        assertThat(book(someone(), "1", "\ud83c\udf81".repeat(length / 2) + "x".repeat(length % 2))
                        .status())
                .isEqualTo(length == 128 ? 201 : 400);
    }

    @Nested
    @DisplayName("Many bookings at once on two nodes")
    class AtOnce {

        @Test
        @DisplayName("Parallel bookings never spend more than there is, and all of it if it is asked for.")
        void spending() throws Exception {
            String user = someone();
            book(user, "100", "gift");
            Map<Integer, Long> answers = TestActivity.inParallel(200, i -> insist(i, user, "-1", "shop-" + i)).stream()
                    .collect(Collectors.groupingBy(Response::status, Collectors.counting()));
            assertThat(answers).isEqualTo(Map.of(201, 100L, 409, 100L));
            assertThat(booked(user).stream().map(entry -> entry.get("balance").asString()))
                    .containsExactlyElementsOf(LongStream.rangeClosed(0, 100)
                            .mapToObj(spent -> Long.toString(100 - spent))
                            .toList());
        }

        @ParameterizedTest(name = "there was something before: {0}")
        @ValueSource(booleans = {true, false})
        @DisplayName("Parallel bookings under one number are made once, and all get the same answer.")
        void once(boolean begun) throws Exception {
            String user = someone();
            if (begun) {
                book(user, "1", "before");
            }
            List<Response> answers = TestActivity.inParallel(50, i -> insist(i, user, "7", "gift"));
            assertThat(answers.stream()
                            .map(Response::status)
                            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())))
                    .isEqualTo(Map.of(201, 1L, 200, 49L));
            assertThat(answers.stream().map(Response::text).distinct()).hasSize(1);
            assertThat(booked(user)).hasSize(begun ? 2 : 1);
        }
    }

    @Test
    @DisplayName("A booking of a user with many bookings reads the snapshot and the events after it.")
    void snapshot() {
        String user = someone();
        for (int i = 1; i <= 120; i++) {
            book(user, "1", "no-" + i);
        }
        await().atMost(SNAPSHOT_MAX).until(() -> snapshotOf(user) >= 99);
        credits.removeAll();
        assertThat(text(book(user, "1", "next"), "balance")).isEqualTo("121");

        // The snapshot is changed: if the next balance follows from it, the account has really read it.
        assertThat(database.sql("""
                        UPDATE snapshot SET sequence = 120, payload = convert_to(?, 'UTF8') WHERE aggregate_id = ?""")
                        .params("""
                                {"id": "%s", "balance": {"credits": "5000", "entries": 121}}""".formatted(account(user)), account(user))
                        .update())
                .isEqualTo(1);
        credits.removeAll();
        assertThat(text(book(user, "1", "after it"), "balance")).isEqualTo("5001");
    }

    @Test
    @DisplayName("The first of many bookings gets its first answer again, although the account has a snapshot.")
    void firstOfMany() {
        String user = someone();
        Response first = book(user, "1", "no-1");
        for (int i = 2; i <= 120; i++) {
            book(user, "1", "no-" + i);
        }
        await().atMost(SNAPSHOT_MAX).until(() -> snapshotOf(user) >= 99);
        Response again = book(user, "1", "no-1");
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
    }

    private long snapshotOf(String user) {
        return database.sql("SELECT sequence FROM snapshot WHERE aggregate_id = ?")
                .param(account(user))
                .query(Long.class)
                .optional()
                .orElse(-1L);
    }
}
