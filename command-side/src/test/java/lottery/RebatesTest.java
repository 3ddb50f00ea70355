package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedAction;
import lottery.api.rebate.BehaviourCommand.GiveRebate;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleId;
import lottery.api.rebate.RebateState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@DisplayName("A rebate")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RebatesTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String SKUS = """
            "skus": [{"sku": 1, "total": 3, "month": 3, "day": 3},
              {"sku": 2, "total": 1, "month": 1, "day": 1, "stock": 1},
              {"sku": 3, "total": 1, "month": 1, "day": 1, "priceCredits": "2"}]""";

    private static final AtomicLong NUMBERS = new AtomicLong(1000);

    private final Http http;
    private final EndpointCommandSender commands;
    private final JdbcClient database;

    private ConfigurableApplicationContext otherNode;
    private Http elsewhere;
    private TestActivity activity;

    /** The name of a behaviour for which only the rules of one test pay. */
    private record Doing(String behaviour, long rule) {

        static Doing next() {
            long number = NUMBERS.incrementAndGet();
            return new Doing("do-" + number, number);
        }

        RebateRuleId ruleId() {
            return new RebateRuleId(rule);
        }
    }

    @Autowired
    RebatesTest(@LocalServerPort int port, EndpointCommandSender commands, JdbcClient database) {
        this.http = new Http(port);
        this.commands = commands;
        this.database = database;
    }

    @BeforeAll
    void open() {
        otherNode = new SpringApplicationBuilder(TestLottery.class)
                .properties("server.port=0")
                .run();
        elsewhere = new Http(otherNode.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        activity = TestActivity.open(http, RULES, SKUS);
    }

    @AfterAll
    void close() {
        otherNode.close();
    }

    private Response define(long rule, String behaviour, String rebates, String more) {
        return http.put("/api/v1/rebate-rules/" + rule, """
                {"behaviour": "%s", "rebates": [%s], %s "state": "OPEN"}""".formatted(behaviour, rebates, more));
    }

    private Response agree(Response proposed) {
        return http.post(
                "/api/v1/ops/proposals/" + proposed.json().get("proposalId").asString() + "/decision",
                "{\"decision\": \"AGREE\"}");
    }

    private Doing rule(String rebates, String more) {
        Doing doing = Doing.next();
        Response defined = define(doing.rule(), doing.behaviour(), rebates, more);
        assertThat(defined.status()).as(defined.text()).isEqualTo(202);
        assertThat(agree(defined).status()).isEqualTo(200);
        // All nodes hear of it within five seconds.
        awaitVersion(doing, 1);
        return doing;
    }

    private void awaitVersion(Doing doing, int version) {
        String list = "/api/v1/rebate-rules?limit=1&cursor=" + (doing.rule() - 1);
        String start = "\"ruleId\":%d,\"version\":%d,".formatted(doing.rule(), version);
        await().atMost(SOON)
                .until(() -> Stream.of(http, elsewhere)
                        .allMatch(node -> node.get(list).text().contains(start)));
    }

    private String sku(int sku) {
        return "{\"kind\": \"SKU\", \"activityId\": %d, \"sku\": %d}".formatted(activity.id, sku);
    }

    private static String credits(String amount) {
        return "{\"kind\": \"CREDIT\", \"amount\": \"%s\"}".formatted(amount);
    }

    private static String someone() {
        return "earner-" + NUMBERS.incrementAndGet();
    }

    private static Response report(Http node, String user, Doing doing, String number) {
        return node.post("/api/v1/users/" + user + "/behaviours", """
                {"behaviour": "%s", "outBusinessNo": "%s"}""".formatted(doing.behaviour(), number));
    }

    private Response report(String user, Doing doing, String number) {
        Response reported = report(http, user, doing, number);
        assertThat(reported.status()).as(reported.text()).isIn(200, 201);
        return reported;
    }

    private static BehaviourId idIn(Response reported) {
        return BehaviourId.of(reported.json().get("behaviourId").asString());
    }

    private BehaviourProgress give(BehaviourId behaviour, Doing doing, int index, boolean isAgain) {
        return commands.send(new GiveRebate(behaviour, doing.ruleId(), index, isAgain))
                .orThrow();
    }

    private static List<String> states(Response behaviour) {
        return behaviour
                .json()
                .get("rebates")
                .valueStream()
                .map(rebate -> rebate.get("state").asString()
                        + (rebate.has("reason") ? " " + rebate.get("reason").asString() : ""))
                .toList();
    }

    private static List<String> states(BehaviourProgress behaviour) {
        return behaviour.rebates().stream()
                .map(rebate -> rebate.state() + (rebate.reason() == null ? "" : " " + rebate.reason()))
                .toList();
    }

    private long events(String type, String businessNo) {
        return database.sql("""
                        SELECT count(*) FROM event WHERE type = ?
                        AND strpos(convert_from(payload, 'UTF8'), ?) > 0""")
                .params(type, "\"" + businessNo + "\"")
                .query(Long.class)
                .single();
    }

    private static String code(Response refused) {
        return refused.json().path("code").asString();
    }

    private Response behaviour(String user, BehaviourId id) {
        return http.get("/api/v1/users/" + user + "/behaviours/" + id);
    }

    @Test
    @DisplayName("A report is answered with all rebates of its rules, and again with the same, whatever came of them.")
    void reported() {
        Doing doing = rule(sku(1) + ", " + credits("8.80"), "");
        String user = someone();
        Response reported = report(user, doing, "one");
        assertThat(reported.status()).isEqualTo(201);
        JsonNode rebates = reported.json().get("rebates");
        assertThat(rebates.get(0).toString())
                .isEqualTo(
                        "{\"ruleId\":%d,\"index\":0,\"kind\":\"SKU\",\"activityId\":%d,\"sku\":1,\"state\":\"ORDERED\"}"
                                .formatted(doing.rule(), activity.id));
        assertThat(rebates.get(1).toString())
                .isEqualTo("{\"ruleId\":%d,\"index\":1,\"kind\":\"CREDIT\",\"amount\":\"8.8\",\"state\":\"ORDERED\"}"
                        .formatted(doing.rule()));
        assertThat(reported.header("Location")).endsWith("/behaviours/" + idIn(reported));
        give(idIn(reported), doing, 0, false);

        Response repeated = report(elsewhere, user, doing, "one");
        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.text()).isEqualTo(reported.text());
        assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(states(behaviour(user, idIn(reported)))).containsExactly("DONE", "ORDERED");
        assertThat(behaviour("somebody-else", idIn(reported)).status()).isEqualTo(404);
        assertThat(idIn(report(user, doing, "two"))).isNotEqualTo(idIn(reported));
    }

    @Test
    @DisplayName("A behaviour that earns nothing is stored all the same.")
    void nothing() {
        Response reported = report(someone(), Doing.next(), "one");
        assertThat(reported.status()).isEqualTo(201);
        assertThat(reported.json().get("rebates").isEmpty()).isTrue();
    }

    @Test
    @DisplayName(
            "A rebate brings its chances or credits once, in the commit that says so, however often it is asked for.")
    void once() throws Exception {
        Doing doing = rule(sku(1) + ", " + credits("2.5"), "");
        String user = someone();
        Set<String> answers = new HashSet<>();
        for (Response answer : TestActivity.inParallel(
                50, i -> TestActivity.insist(() -> report(i % 2 == 0 ? http : elsewhere, user, doing, "x")))) {
            assertThat(answer.status()).as(answer.text()).isIn(200, 201);
            answers.add(answer.text());
        }
        assertThat(answers).hasSize(1);
        BehaviourId id = idIn(report(user, doing, "x"));
        for (int i = 0; i < 3; i++) {
            give(id, doing, 0, false);
            give(id, doing, 1, i == 1);
        }
        assertThat(states(behaviour(user, id))).containsExactly("DONE", "DONE");
        assertThat(events("recharge.completed", id.businessNo(doing.ruleId(), 0)))
                .isEqualTo(1);
        assertThat(events("credit.booked", id.businessNo(doing.ruleId(), 1))).isEqualTo(1);
        assertThat(activity.draw(user, "{\"count\": 3}", "three")
                        .json()
                        .get("draws")
                        .size())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("A behaviour keeps the rebates of the rules of its time, and closed rules pay nothing.")
    void pinned() {
        Doing doing = rule(credits("1"), "");
        String user = someone();
        Response before = report(user, doing, "before");
        Response closed =
                http.put("/api/v1/rebate-rules/" + doing.rule(), """
                {"behaviour": "%s", "rebates": [%s], "state": "CLOSED"}""".formatted(doing.behaviour(), credits("9")));
        assertThat(closed.status()).as(closed.text()).isEqualTo(200);
        assertThat(report(user, doing, "after").json().get("rebates").isEmpty()).isTrue();
        assertThat(states(give(idIn(before), doing, 0, false))).containsExactly("DONE");
        assertThat(http.get("/api/v1/rebate-rules/" + doing.rule())
                        .json()
                        .get("state")
                        .asString())
                .isEqualTo("CLOSED");
    }

    @ParameterizedTest
    @CsvSource({"DAY, 2", "MONTH, 1", "EVER, 3"})
    @DisplayName("A rule pays a user as often as its limit says, also when two nodes are asked at once.")
    void limited(String period, int count) throws Exception {
        Doing doing = rule(
                credits("1") + ", " + credits("2"),
                "\"limit\": {\"count\": %d, \"period\": \"%s\"},".formatted(count, period));
        String user = someone();
        List<Response> answers = TestActivity.inParallel(
                12, i -> TestActivity.insist(() -> report(i % 2 == 0 ? http : elsewhere, user, doing, "no-" + i)));
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.text()).isEqualTo(201));
        assertThat(answers.stream().map(RebatesTest::states).filter(List.of("ORDERED", "ORDERED")::equals))
                .hasSize(count);
        assertThat(answers.stream()
                        .map(RebatesTest::states)
                        .filter(List.of("REFUSED RULE_LIMIT", "REFUSED RULE_LIMIT")::equals))
                .hasSize(12 - count);
        Response other = report(someone(), doing, "no-1");
        assertThat(states(other)).containsExactly("ORDERED", "ORDERED");
    }

    @Test
    @DisplayName("A rebate of a SKU that is sold out is refused, and can be given by a person when there is one again.")
    void soldOut() {
        Doing doing = rule(sku(2), "");
        BehaviourId first = idIn(report(someone(), doing, "first"));
        assertThat(states(give(first, doing, 0, false))).containsExactly("DONE");
        String late = someone();
        BehaviourId second = idIn(report(late, doing, "second"));
        BehaviourProgress refused = give(second, doing, 0, false);
        assertThat(states(refused)).containsExactly("REFUSED SKU_SOLD_OUT");
        assertThat(refused.rebates()).allMatch(RebateProgress::needsPerson);
        assertThat(code(activity.draw(late, "x"))).isEqualTo("QUOTA_TOTAL");
        assertThat(states(give(second, doing, 0, true))).containsExactly("REFUSED SKU_SOLD_OUT");
        assertThat(events("behaviour.rebate-refused", second.text())).isEqualTo(1);

        ProposalId proposal = propose(second, late, doing);
        assertThat(commands.send(new AgreeToProposal(proposal)).orThrow().state())
                .isEqualTo(ProposalState.AGREED);
        assertThat(commands.send(new AgreeToProposal(proposal)).orThrow().state())
                .isEqualTo(ProposalState.AGREED);
        assertThat(events("behaviour.rebate-dropped", second.text())).isEqualTo(1);
        assertThat(states(give(second, doing, 0, true))).containsExactly("REFUSED SKU_SOLD_OUT");
    }

    private ProposalId propose(BehaviourId id, String user, Doing doing) {
        ProposedAction drop = ProposedAction.dropOfRebate(id.businessNo(doing.ruleId(), 0), new UserId(user));
        return commands.send(new ProposeAction(drop, "a test")).orThrow().proposalId();
    }

    @Test
    @DisplayName(
            "A rebate of an activity that is not open is refused, and given by a person after it has opened again.")
    void notOpen() {
        TestActivity closing = TestActivity.open(http, RULES, SKUS);
        Doing doing = rule("{\"kind\": \"SKU\", \"activityId\": %d, \"sku\": 1}".formatted(closing.id), "");
        String user = someone();
        BehaviourId id = idIn(report(user, doing, "late"));
        closing.transition("close");
        assertThat(states(give(id, doing, 0, false))).containsExactly("REFUSED ACTIVITY_NOT_OPEN");
        assertThat(states(give(id, doing, 0, false))).containsExactly("REFUSED ACTIVITY_NOT_OPEN");
        closing.transition("open");
        closing.transition("start");
        assertThat(states(give(id, doing, 0, false))).containsExactly("REFUSED ACTIVITY_NOT_OPEN");
        ProposalId proposal = propose(id, user, doing);
        BehaviourProgress given = give(id, doing, 0, true);
        assertThat(given.rebates().getFirst().state()).isEqualTo(RebateState.DONE);
        assertThatThrownBy(() -> commands.send(new AgreeToProposal(proposal)).orThrow())
                .as("it was given meanwhile")
                .hasMessageContaining(id.text());
        assertThat(states(behaviour(user, id))).containsExactly("DONE");
        assertThat(closing.draw(user, "x").status()).isEqualTo(201);
    }

    @Test
    @DisplayName("A rule is shown as it was defined, alone and in the list, and the same rule again changes nothing.")
    void shown() {
        Doing doing = Doing.next();
        String more = "\"limit\": {\"count\": 1, \"period\": \"DAY\"},";
        Response first = define(doing.rule(), doing.behaviour(), credits("1.50"), more);
        assertThat(first.json().get("action").get("version").asInt()).isEqualTo(1);
        agree(first);
        Response again = define(doing.rule(), doing.behaviour(), credits("1.5"), more);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        Response changed = define(doing.rule(), doing.behaviour(), credits("2"), more);
        assertThat(changed.json().get("action").get("version").asInt()).isEqualTo(2);
        agree(changed);
        String shown = """
                {"ruleId":%d,"version":2,"behaviour":"%s","rebates":[{"kind":"CREDIT","amount":"2"}],\
                "limit":{"count":1,"period":"DAY"},"state":"OPEN"}""".formatted(doing.rule(), doing.behaviour());
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                http.get("/api/v1/rebate-rules/" + doing.rule()).text())
                        .isEqualTo(shown));
        Response page = http.get("/api/v1/rebate-rules?limit=1&cursor=" + (doing.rule() - 1));
        assertThat(page.json().get("items").get(0).toString()).isEqualTo(shown);
        assertThat(http.get("/api/v1/rebate-rules/999999999").status()).isEqualTo(404);
    }

    @Test
    @DisplayName("A proposed rule pays as before until it is adopted, and a closed one ends what was proposed.")
    void proposed() {
        Doing doing = rule(credits("1"), "");
        Response dearer = define(doing.rule(), doing.behaviour(), credits("9"), "");
        assertThat(dearer.status()).isEqualTo(202);
        String path = "/api/v1/rebate-rules/" + doing.rule();
        assertThat(http.get(path).text()).contains("\"version\":1", "\"amount\":\"1\"");
        assertThat(dearer.text()).contains("\"version\":2", "\"amount\":\"9\"");
        Response other = define(doing.rule(), doing.behaviour(), credits("8"), "");
        assertThat(report(someone(), doing, "x").text()).contains("\"amount\":\"1\"");
        assertThat(agree(dearer).status()).isEqualTo(200);
        assertThat(agree(dearer).status()).isEqualTo(200);
        assertThat(code(agree(other))).isEqualTo("VERSION_STALE");
        awaitVersion(doing, 2);
        assertThat(report(someone(), doing, "x").text()).contains("\"amount\":\"9\"");

        Response ended = define(doing.rule(), doing.behaviour(), credits("99"), "");
        assertThat(http.put(path, """
                {"behaviour": "%s", "rebates": [%s], "state": "CLOSED"}""".formatted(doing.behaviour(), credits("9")))
                        .json()
                        .get("version")
                        .asInt())
                .isEqualTo(3);
        assertThat(code(agree(ended))).isEqualTo("VERSION_STALE");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"kind": "SKU", "activityId": 999999999, "sku": 1} |        | /rebates/0/activityId
                    {"kind": "SKU", "activityId": %d, "sku": 77}       |        | /rebates/0/sku
                    {"kind": "SKU", "activityId": %d, "sku": 3}        |        | /rebates/0/sku
                    {"kind": "SKU", "activityId": %d}                  |        | /rebates/0
                    {"kind": "CREDIT", "amount": "1", "sku": 1}        |        | /rebates/0
                    {"kind": "CREDIT"}                                 |        | /rebates/0
                    {"kind": "CREDIT", "amount": "-1"}                 |        | /rebates/0/amount
                    {"kind": "CREDIT", "amount": "0.0000001"}          |        | /rebates/0/amount
                    {"kind": "CREDIT", "amount": "1"}                  | "streak": 3, | /streak
                    {"kind": "CREDIT", "amount": "1"}                  | "limit": {"count": 0, "period": "DAY"}, | /limit/count
                    {"kind": "CREDIT", "amount": "1"}                  | "unheard": 1, | /unheard
                    """)
    @DisplayName("A rule that could not pay is refused, with the place of the flaw.")
    void flawed(String rebate, String more, String pointer) {
        Doing doing = Doing.next();
        Response refused = define(
                doing.rule(),
                doing.behaviour(),
                rebate.replace("%d", Long.toString(activity.id)),
                more == null ? "" : more);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo(pointer);
        assertThat(http.get("/api/v1/rebate-rules/" + doing.rule()).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sign", "Share", "sign in", "a123456789012345678901234567890123"})
    @DisplayName("A report of a sign-in, or of something that is no name of a behaviour, is refused.")
    void noName(String behaviour) {
        assertThat(report(http, someone(), new Doing(behaviour, 1), "x").status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tab\\u0009"})
    @DisplayName("A business number that is empty or not printable is refused.")
    void noNumber(String number) {
        assertThat(report(http, someone(), Doing.next(), number).status()).isEqualTo(400);
    }

    @Test
    @DisplayName("Nobody else can use the business numbers of rebates.")
    void reserved() {
        String number = "behaviour:33-e5173994-fc37-8861-b836-9cad666a564f:1:0";
        assertThat(http.post("/api/v1/users/ann/credits/entries", """
                        {"amount": "1", "businessNo": "%s"}""".formatted(number))
                        .status())
                .isEqualTo(400);
        assertThat(http.post(activity.account("ann") + "/recharges", """
                        {"sku": 1, "outBusinessNo": "%s"}""".formatted(number))
                        .status())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("A rebate of a behaviour that does not exist, or of no rule of it, is not found.")
    void unknown() {
        Doing doing = rule(credits("1"), "");
        BehaviourId id = idIn(report(someone(), doing, "x"));
        assertThat(commands.send(new GiveRebate(id, doing.ruleId(), 1, false)).toString())
                .contains("NOT_FOUND");
        assertThat(commands.send(new GiveRebate(BehaviourId.of(new UserId("x"), "x", "x"), doing.ruleId(), 0, false))
                        .toString())
                .contains("NOT_FOUND");
        assertThat(behaviour("ann", BehaviourId.of(new UserId("x"), "x", "x")).status())
                .isEqualTo(404);
    }
}
