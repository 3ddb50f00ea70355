package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import lottery.Http.Response;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.strategy.StrategyCache;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.JsonNode;

@DisplayName("The versions of a strategy")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class StrategyVersionLogReaderTest {

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";
    private static final String TEA = COFFEE.replace("Coffee", "Tea");

    private static final Duration SOON = Duration.ofSeconds(15);

    /** The newest version after some revisions by another node. */
    private static final int NEWEST = 4;

    private final Http http;
    private final JdbcClient owner;
    private final EventStore events;
    private final StrategyCache strategies;
    private TestActivity activity;

    @Autowired
    StrategyVersionLogReaderTest(
            @LocalServerPort int port, Environment environment, EventStore events, StrategyCache strategies) {
        this.events = events;
        this.strategies = strategies;
        this.http = new Http(port);
        this.owner = JdbcClient.create(new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password")));
        this.activity = TestActivity.open(http, COFFEE);
    }

    @BeforeEach
    void open() {
        activity = TestActivity.open(http, COFFEE);
    }

    @Test
    @DisplayName("A revision applies to later draws once it is adopted; each draw names its version.")
    void revised() {
        activity.recharge("ann");
        Response before = activity.draw("ann", "one");
        Response revised = activity.revise(1, TEA);
        assertThat(revised.status()).isEqualTo(200);
        assertThat(revised.json().get("version").asInt()).isEqualTo(2);
        assertThat(revised.header("ETag")).isEqualTo("\"2\"");
        assertThat(activity.draw("ann", "pinned").json().get("strategyVersion").asInt())
                .isEqualTo(1);
        JsonNode listed = http.get("/api/v1/strategies?limit=1&cursor=" + (activity.id - 1))
                .json();
        assertThat(listed.at("/items/0/strategyId").asLong()).isEqualTo(activity.id);
        assertThat(listed.at("/items/0/version").asInt()).isEqualTo(2);
        assertThat(listed.at("/items/0/awards/0").asString()).isEqualTo("Tea");
        activity.adopt(2);
        Response after = activity.draw("ann", "two");
        assertThat(before.json().get("strategyVersion").asInt()).isEqualTo(1);
        assertThat(after.json().get("strategyVersion").asInt()).isEqualTo(2);
        assertThat(after.json().get("award").get("title").asString()).isEqualTo("Tea");
        assertThat(activity.draw("ann", "one").text()).isEqualTo(before.text());
    }

    @Test
    @DisplayName("Each version of a strategy can be shown.")
    void shown() {
        activity.revise(1, TEA.replace("\"rate\": \"1\"", "\"rate\": \"0.0000001\""));
        Response newest = http.get("/api/v1/strategies/" + activity.id);
        assertThat(newest.text()).contains("\"rate\":\"0.0000001\"");
        assertThat(newest.header("ETag")).isEqualTo("\"2\"");
        assertThat(titleOf(newest)).isEqualTo("Tea");
        assertThat(titleOf(http.get("/api/v1/strategies/" + activity.id + "?version=1")))
                .isEqualTo("Coffee");
        assertThat(http.get("/api/v1/strategies/" + activity.id + "?version=3").status())
                .isEqualTo(404);
        assertThat(http.get("/api/v1/strategies/4711").status()).isEqualTo(404);
    }

    private static String titleOf(Response strategy) {
        return strategy.json()
                .get("definition")
                .get("awards")
                .get(0)
                .get("title")
                .asString();
    }

    @Test
    @DisplayName("A revision of an old version is refused, but a repeated revision gets its answer again.")
    void stale() {
        assertThat(activity.revise(1, TEA).status()).isEqualTo(200);
        Response stale = activity.revise(1, COFFEE);
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.json().get("code").asString()).isEqualTo("VERSION_STALE");
        Response repeated = activity.revise(1, TEA);
        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    @DisplayName("A definition is the same with its numbers written out or with an exponent.")
    void exponents() {
        String exponents = with("\"cost\": 1e2, \"amount\": {\"min\": 1e1, \"max\": 2E+3}");
        String writtenOut = with("\"cost\": 100, \"amount\": {\"min\": \"10\", \"max\": 2000}");
        assertThat(activity.revise(1, exponents).status()).isEqualTo(200);
        for (String same : List.of(exponents, writtenOut)) {
            Response repeated = activity.revise(1, same);
            assertThat(repeated.header("Idempotency-Replayed"))
                    .as(repeated.text())
                    .isEqualTo("true");
        }
        assertThat(http.get("/api/v1/strategies/" + activity.id).text())
                .contains("\"cost\":\"100\"", "\"min\":\"10\",\"max\":\"2000\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"cost\": 1e2147483647 | 400 | /awards/0/cost",
                "\"cost\": 1e-2147483647 | 400 | /awards/0/cost",
                "\"amount\": {\"min\": 1, \"max\": 1e2147483647} | 409 | /awards/0/amount",
                "\"amount\": {\"min\": 1e-2147483647, \"max\": 1} | 409 | /awards/0/amount",
                "\"amount\": {\"min\": 0e2147483647, \"max\": 1} | 409 | /awards/0/amount",
            })
    @DisplayName("A number that nobody could write out is refused.")
    void hugeNumbers(String number, int status, String pointer) {
        Response refused = activity.revise(1, with(number));
        assertThat(refused.status()).as(refused.text()).isEqualTo(status);
        assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo(pointer);
        assertThat(rows()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.00", "0e12", "0e2147483647"})
    @DisplayName("An award may cost nothing, however the zero is written.")
    void free(String nothing) {
        Response revised = activity.revise(1, with("\"cost\": " + nothing));
        assertThat(revised.status()).as(revised.text()).isEqualTo(200);
    }

    private static String with(String more) {
        return COFFEE.replace("\"sort\"", more + ", \"sort\"");
    }

    @Test
    @DisplayName("A revision without the version that was read, or under another id, is refused.")
    void withoutVersion() {
        Response without = http.put("/api/v1/strategies/" + activity.id, activity.strategy(TEA));
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/If-Match");
        Response other =
                http.put("/api/v1/strategies/" + activity.id, "{\"strategyId\": 4711, " + TEA + "}", "If-Match", "1");
        assertThat(other.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/strategyId");
        assertThat(rows()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "rates above one | \"rate\": \"1\" | \"rate\": \"1.1\" | /awards/0/rate",
                "no rate | \"rate\": \"1\" | \"rate\": \"0\" | /awards/0/rate",
                "a negative rate | \"rate\": \"1\" | \"rate\": \"-0.5\" | /awards/0/rate",
                "an unknown fallback | \"mode\" | \"fallback\": 9, \"mode\" | /fallback",
                "an unknown award in a tier | \"mode\" | \"tiers\": [{\"from\": 1, \"awardIds\": [7]}], \"mode\" | /tiers/0/awardIds/0",
                "a limited award for the blacklist | \"sort\": 1 | \"sort\": 1, \"stock\": 5 | /blacklist/awardId",
                "a circle | \"mode\" | \"tree\": {\"root\": \"a\", \"nodes\": [{\"node\": \"a\", \"matter\": \"award\", \"kind\": \"NUMBER\"}], \"lines\": [{\"from\": \"a\", \"to\": \"a\", \"is\": \"=\", \"values\": [\"1\"]}]}, \"mode\" | /tree/lines/0",
            })
    @DisplayName("A strategy with flaws is refused with the place of each, and nothing is stored.")
    void flaws(String name, String sound, String flawed, String pointer) {
        String definition = COFFEE.replace(sound, flawed)
                .replace("\"mode\"", "\"blacklist\": {\"users\": [\"mallory\"], \"awardId\": 1}, \"mode\"");
        Response refused = activity.revise(1, definition);
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.json().get("code").asString()).isEqualTo("STRATEGY_INVALID");
        assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo(pointer);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    @DisplayName("A revision by another node is known within a second, and can be adopted.")
    void revisedElsewhere() {
        activity.recharge("ann");
        assertThat(activity.draw("ann", "one").json().get("strategyVersion").asInt())
                .isEqualTo(1);
        StrategyId id = new StrategyId(activity.id);
        StrategyDefinition definition = strategies.find(id).orElseThrow().definition();
        // Without its event a revision is known after two seconds. A busy machine may be late for one of them.
        assertThat(IntStream.rangeClosed(2, NEWEST).mapToObj(version -> untilKnown(id, version, definition)))
                .anySatisfy(took -> assertThat(took).isLessThan(Duration.ofSeconds(1)));
        activity.adopt(NEWEST);
        assertThat(activity.draw("ann", "two").json().get("strategyVersion").asInt())
                .isEqualTo(NEWEST);
    }

    private Duration untilKnown(StrategyId id, int version, StrategyDefinition definition) {
        StrategyRevised revised = new StrategyRevised(id, version, definition);
        long begunNanos = System.nanoTime();
        events.publish(new GenericDomainEventMessage<>("strategy", id.text(), version - 1, revised));
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> strategies.find(id).orElseThrow().version() == version);
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }

    @Test
    @DisplayName("A version that does not exist is not adopted, and none is adopted without its number.")
    void notAdopted() {
        String transitions = "/api/v1/activities/" + activity.id + "/transitions";
        assertThat(http.post(transitions, "{\"action\": \"adopt\", \"strategyVersion\": 9}")
                        .status())
                .isEqualTo(404);
        assertThat(http.post(transitions, "{\"action\": \"adopt\"}").status()).isEqualTo(400);
        assertThat(http.post(transitions, "{\"action\": \"adopt\", \"strategyVersion\": 0}")
                        .status())
                .isEqualTo(400);
    }

    private long rows() {
        return owner.sql("SELECT count(*) FROM event WHERE aggregate_id = ?")
                .param("strategy:" + activity.id)
                .query(Long.class)
                .single();
    }
}
