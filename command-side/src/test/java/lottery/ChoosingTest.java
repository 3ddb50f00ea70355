package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import lottery.Http.Response;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.choice.TreeId;
import lottery.api.tree.Node;
import lottery.api.tree.TreeDefinition;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@DisplayName("A decision tree of the operator")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class ChoosingTest {

    /** Is shorter than the age at which a tree is read again without an event. */
    private static final Duration NEWS_WAIT_MAX = Duration.ofSeconds(4);

    private static final Duration SOON = Duration.ofSeconds(15);

    /** The newest version after some definitions by another node. */
    private static final int NEWEST = 4;

    /** Ids that no other test uses: tests share the database. */
    private static final AtomicLong IDS = new AtomicLong(50_000);

    private final Http http;
    private final EventStore events;
    private final JdbcClient database;

    /** The id of the tree, and of the only open activity. */
    private long id;

    @Autowired
    ChoosingTest(@LocalServerPort int port, EventStore events, JdbcClient database) {
        this.http = new Http(port);
        this.events = events;
        this.database = database;
    }

    @BeforeEach
    void anOpenActivity() {
        id = IDS.addAndGet(10);
        create(id);
        assertThat(http.post("/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "config": {"text": "x"}, "rate": "1", "sort": 1}]}
                """.formatted(id)).status()).isEqualTo(201);
        List.of("submit", "pass", "start").forEach(this::transition);
    }

    @Nested
    @DisplayName("The definition of a tree")
    class Defining {

        @Test
        @DisplayName(
                "A tree is defined once and replaced by another one, and the same definition again changes nothing.")
        void versions() {
            Response first = define(tree(id));
            assertThat(first.status()).as(first.text()).isEqualTo(201);
            assertThat(first.text()).isEqualTo("{\"treeId\":%d,\"version\":1}".formatted(id));
            assertThat(first.header("Location")).isEqualTo("/api/v1/decision-trees/" + id);

            Response again = define(tree(id));
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(rows()).isEqualTo(1);

            Response second = define(tree(id).replace("18", "21"));
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.json().get("version").asInt()).isEqualTo(2);
            assertThat(choose("{\"age\": 20, \"city\": \"x\"}").status()).isEqualTo(409);
        }

        @Test
        @DisplayName("A replacement names the version that was read, and is refused if that is not the newest one.")
        void ifMatch() {
            define(tree(id));
            String read = shown().header("ETag");
            String replacement = tree(id).replace("18", "21");

            Response stale = define(replacement, "If-Match", "\"7\"");
            assertThat(stale.status()).isEqualTo(412);
            assertThat(stale.json().get("code").asString()).isEqualTo("VERSION_STALE");
            assertThat(stale.json().get("retryable").asBoolean()).isFalse();

            Response replaced = define(replacement, "If-Match", read);
            assertThat(replaced.status()).isEqualTo(200);
            assertThat(replaced.header("ETag")).isEqualTo("\"2\"");
            assertThat(define(replacement, "If-Match", read).text()).isEqualTo(replaced.text());
            assertThat(define(tree(id), "If-Match", read).status()).isEqualTo(412);
            assertThat(define(tree(id), "If-Match", "*").status()).isEqualTo(400);
        }

        @Test
        @DisplayName("A tree is shown in the form in which it can be defined again.")
        void shownAgain() {
            define(tree(id));
            Response shown = shown();
            assertThat(shown.json().get("version").asInt()).isEqualTo(1);
            Response again = define(shown.json().get("definition").toString());
            assertThat(again.header("Idempotency-Replayed")).as(again.text()).isEqualTo("true");
            assertThat(http.get("/api/v1/decision-trees/999999").status()).isEqualTo(404);
        }

        @Test
        @DisplayName("A tree with flaws is refused, with all flaws and their places, in both languages.")
        void flaws() {
            String circle = tree(id).replace(
                            "\"lines\": [",
                            "\"lines\": [{\"from\": \"city\", \"to\": \"age\", \"is\": \"=\", \"values\": [\"b\"]},")
                    .replace("\"result\": \"%d\"".formatted(id), "\"result\": \"999999\"");
            Response refused = define(circle);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.json().get("code").asString()).isEqualTo("TREE_INVALID");
            assertThat(findings(refused))
                    .containsExactly(
                            "/lines/0: the lines lead in a circle: age -> city -> age",
                            "/nodes/2/result: there is no activity 999999");
            assertThat(findings(define(circle, "Accept-Language", "zh-CN")))
                    .contains("/lines/0: 连线形成环路：age -> city -> age");
            assertThat(shown().status()).isEqualTo(404);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "\"is\": \">=\"|\"is\": \"=>\"|/lines/0/is",
                    "\"kind\": \"NUMBER\"|\"kind\": \"DATE\"|/nodes/0/kind",
                    "\"root\": \"age\"|\"root\": \"\"|/root",
                    "\"root\": \"age\",||/root",
                    "\"root\": \"age\"|\"root\": \"age\", \"name\": \"x\"|/name",
                    "[\"18\"]|[null]|/lines/0/values/0",
                    "[\"18\"]|\"18\"|/lines/0/values",
                })
        @DisplayName("A malformed tree is refused, and the answer points to the mistake.")
        void malformed(String right, String wrong, String pointer) {
            Response refused = define(tree(id).replace(right, wrong == null ? "" : wrong));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                    .startsWith(pointer);
        }

        @Test
        @DisplayName("A tree that exceeds the limits is refused.")
        void limits() {
            assertThat(define(large(200, "x", 100)).status()).isEqualTo(201);
            assertThat(define(large(201, "x", 100)).status()).isEqualTo(400);
            assertThat(define(large(200, "x".repeat(100), 1)).status()).isEqualTo(200);
            assertThat(define(large(200, "x".repeat(101), 1)).status()).isEqualTo(400);
            assertThat(define(large(200, "x", 101)).status()).isEqualTo(400);
            assertThat(define(tree(id).replace("\"age\"", "\"" + "a".repeat(64) + "\""))
                            .status())
                    .isEqualTo(200);
            assertThat(define(tree(id).replace("\"age\"", "\"" + "a".repeat(65) + "\""))
                            .status())
                    .isEqualTo(400);
        }
    }

    @Nested
    @DisplayName("The choice of an activity")
    class Leading {

        @BeforeEach
        void aTree() {
            define(tree(id));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"age\": \"18\", \"city\": \"Paris\"}",
                    "{\"age\": 18, \"city\": \"Paris\"}",
                    "{\"age\": 18.00, \"city\": \"Paris\", \"height\": 1e2}",
                })
        @DisplayName("A user is led to the activity that suits, and the answer names the lines that were followed.")
        void suits(String matters) {
            Response chosen = choose(matters);
            assertThat(chosen.status()).as(chosen.text()).isEqualTo(200);
            assertThat(chosen.json().get("activityId").asLong()).isEqualTo(id);
            assertThat(chosen.json().get("version").asInt()).isEqualTo(1);
            assertThat(chosen.json().get("path")).hasSize(2);
            assertThat(chosen.json().get("path").get(1).toString())
                    .isEqualTo("{\"node\":\"city\",\"matter\":\"city\",\"value\":\"Paris\",\"to\":\"open\"}");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"age\": 17, \"city\": \"Paris\"}",
                    "{\"age\": 18, \"city\": \"Rome\"}",
                    "{\"age\": \"grown up\", \"city\": \"Paris\"}",
                    "{\"city\": \"Paris\"}",
                    "{}"
                })
        @DisplayName("A user is led to no activity if no line fits.")
        void none(String matters) {
            Response refused = choose(matters);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.json().get("code").asString()).isEqualTo("NO_ACTIVITY");
        }

        @Test
        @DisplayName("A user is led by his own id, which no matter can replace.")
        void byUser() {
            define(tree(id).replace("\"matter\": \"city\"", "\"matter\": \"userId\"")
                    .replace("Paris", "ann"));
            assertThat(choose("{\"age\": 18}").status()).isEqualTo(200);
            Response other = http.post(
                    "/api/v1/activity-choices",
                    "{\"treeId\": %d, \"userId\": \"ben\", \"matters\": {\"age\": 18, \"userId\": \"ann\"}}"
                            .formatted(id));
            assertThat(other.status()).isEqualTo(409);
        }

        @Test
        @DisplayName("A user is not led to an activity that is not open now.")
        void closed() {
            String paris = "{\"age\": 18, \"city\": \"Paris\"}";
            create(id + 1);
            define(tree(id + 1));
            assertThat(choose(paris).json().get("code").asString()).isEqualTo("NO_ACTIVITY");

            define(tree(id));
            assertThat(choose(paris).status()).isEqualTo(200);
            transition("close");
            assertThat(choose(paris).json().get("code").asString()).isEqualTo("NO_ACTIVITY");
        }

        @Test
        @DisplayName("A user is led by the newest version, also if another node has defined it.")
        void definedElsewhere() {
            assertThat(choose("{}").status()).isEqualTo(409);
            TreeId tree = new TreeId(id);
            TreeDefinition everybody =
                    new TreeDefinition("open", List.of(Node.leaf("open", Long.toString(id))), List.of());
            // A busy machine may be late for one of them.
            assertThat(IntStream.rangeClosed(2, NEWEST).mapToObj(version -> untilChosen(tree, version, everybody)))
                    .anySatisfy(took -> assertThat(took).isLessThan(NEWS_WAIT_MAX));
        }

        private Duration untilChosen(TreeId tree, int version, TreeDefinition definition) {
            TreeDefined defined = new TreeDefined(tree, version, definition);
            long begunNanos = System.nanoTime();
            events.publish(new GenericDomainEventMessage<>("tree", tree.text(), version - 1, defined));
            await().atMost(SOON).until(() -> {
                Response chosen = choose("{}");
                return chosen.status() == 200 && chosen.json().get("version").asInt() == version;
            });
            return Duration.ofNanos(System.nanoTime() - begunNanos);
        }

        @Test
        @DisplayName("A choice by a tree that does not exist is refused.")
        void noTree() {
            assertThat(http.post("/api/v1/activity-choices", "{\"treeId\": 999999, \"userId\": \"ann\"}")
                            .status())
                    .isEqualTo(404);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"userId\": \"ann\"}|/treeId",
                    "{\"treeId\": -1, \"userId\": \"ann\"}|/treeId",
                    "{\"treeId\": 1}|/userId",
                    "{\"treeId\": 1, \"userId\": \"\"}|/userId",
                    "{\"treeId\": 1, \"userId\": \"ann\", \"matters\": {\"a\": null}}|/matters",
                    "{\"treeId\": 1, \"userId\": \"ann\", \"matters\": {\"a\": true}}|/matters",
                    "{\"treeId\": 1, \"userId\": \"ann\", \"matters\": {\"a\": {}}}|/matters",
                    "{\"treeId\": 1, \"userId\": \"ann\", \"matters\": {\"a\": \"\\u0000\"}}|/matters",
                    "{\"treeId\": 1, \"userId\": \"ann\", \"matters\": {\" \": \"\"}}|/matters",
                    "{\"treeId\": 1, \"userId\": \"ann\", \"matters\": []}|/matters",
                })
        @DisplayName("A malformed choice is refused.")
        void malformed(String body, String pointer) {
            Response refused = http.post("/api/v1/activity-choices", body);
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
            assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                    .startsWith(pointer);
        }

        @Test
        @DisplayName("A choice takes a limited number of matters of a limited length.")
        void limits() {
            assertThat(choose(matters(50, 64, 100)).status()).isEqualTo(409);
            assertThat(choose(matters(51, 64, 100)).status()).isEqualTo(400);
            assertThat(choose(matters(50, 65, 100)).status()).isEqualTo(400);
            assertThat(choose(matters(50, 64, 101)).status()).isEqualTo(400);
            assertThat(choose("{\"age\": 1%s}".formatted("0".repeat(100))).status())
                    .isEqualTo(400);
        }
    }

    private Response define(String tree, String... headers) {
        return http.put("/api/v1/decision-trees/" + id, tree, headers);
    }

    private Response shown() {
        return http.get("/api/v1/decision-trees/" + id);
    }

    private Response choose(String matters) {
        return http.post(
                "/api/v1/activity-choices",
                "{\"treeId\": %d, \"userId\": \"ann\", \"matters\": %s}".formatted(id, matters));
    }

    private void create(long activity) {
        assertThat(http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Spring", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "skus": [
                   {"sku": 1, "total": 10, "month": 5, "day": 2}]}
                """.formatted(activity, id)).status())
                .isEqualTo(201);
    }

    private void transition(String action) {
        assertThat(http.post("/api/v1/activities/" + id + "/transitions", "{\"action\": \"%s\"}".formatted(action))
                        .status())
                .isEqualTo(200);
    }

    private long rows() {
        return database.sql("SELECT count(*) FROM event WHERE aggregate_id = ?")
                .param("tree:" + id)
                .query(Long.class)
                .single();
    }

    private static List<String> findings(Response refused) {
        return StreamSupport.stream(refused.json().get("findings").spliterator(), false)
                .map((JsonNode finding) -> finding.get("pointer").asString() + ": "
                        + finding.get("message").asString())
                .toList();
    }

    /** A tree for the adults of Paris and Lyon. */
    private static String tree(long activity) {
        return """
                {"root": "age",
                 "nodes": [{"node": "age", "matter": "age", "kind": "NUMBER"},
                           {"node": "city", "matter": "city", "kind": "TEXT"},
                           {"node": "open", "result": "%d"}],
                 "lines": [{"from": "age", "to": "city", "is": ">=", "values": ["18"]},
                           {"from": "city", "to": "open", "is": "one of", "values": ["Paris", "Lyon"]}]}
                """.formatted(activity);
    }

    /** A chain of nodes, each with one line and its values. */
    private String large(int nodes, String value, int values) {
        String inner = IntStream.range(1, nodes)
                .mapToObj("{\"node\": \"n%1$d\", \"matter\": \"m\", \"kind\": \"TEXT\"}"::formatted)
                .collect(Collectors.joining(","));
        String all =
                IntStream.range(0, values).mapToObj(_ -> "\"" + value + "\"").collect(Collectors.joining(","));
        String lines = IntStream.range(1, nodes)
                .mapToObj(i -> "{\"from\": \"n%d\", \"to\": \"n%d\", \"is\": \"one of\", \"values\": [%s]}"
                        .formatted(i, i + 1, all))
                .collect(Collectors.joining(","));
        return "{\"root\": \"n1\", \"nodes\": [%s, {\"node\": \"n%d\", \"result\": \"%d\"}], \"lines\": [%s]}"
                .formatted(inner, nodes, id, lines);
    }

    private static String matters(int count, int key, int value) {
        return IntStream.range(10, 10 + count)
                .mapToObj(i -> "\"%s%d\": \"%s\"".formatted("k".repeat(key - 2), i, "v".repeat(value)))
                .collect(Collectors.joining(",", "{", "}"));
    }
}
