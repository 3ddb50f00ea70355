package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UnsupportedEncodingException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.rebate.BehaviourCommand.DropRebate;
import lottery.api.rebate.BehaviourCommand.ReportBehaviour;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.OrderedRebate;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateRuleId;
import lottery.api.rebate.RebateState;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.test.context.TestConstructor;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.WebApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("A behaviour")
class RebateReactionTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final AtomicInteger USERS = new AtomicInteger();
    private static final RebateRuleId RULE = new RebateRuleId(7);
    private static final OrderedRebate CHANCES =
            new OrderedRebate(RULE, 1, 0, Rebate.ofSku(new ActivityId(100), new SkuId(1)), null);
    private static final OrderedRebate CREDITS =
            new OrderedRebate(RULE, 1, 1, Rebate.ofCredits(new BigDecimal("2.5")), null);

    private final Behaviours behaviours;
    private final CommandGateway commands;
    private final TopicReader reader;
    private final KafkaTemplate<String, byte[]> kafka;
    private final JdbcClient database;
    private final MockMvcTester mvc;
    private final StreamingEventProcessor processor;

    private UserId user = new UserId("nobody");
    private BehaviourId id = BehaviourId.of(user, "share", "one");

    RebateReactionTest(
            Behaviours behaviours,
            CommandGateway commands,
            TopicReader reader,
            KafkaTemplate<String, byte[]> kafka,
            JdbcClient database,
            WebApplicationContext context,
            EventProcessingConfiguration processing) {
        this.behaviours = behaviours;
        this.commands = commands;
        this.reader = reader;
        this.kafka = kafka;
        this.database = database;
        this.mvc = MockMvcTester.from(context);
        this.processor = processing
                .eventProcessor("rebates", StreamingEventProcessor.class)
                .orElseThrow();
    }

    /** Gives each test its own user: all tests share one store and one broker. */
    @BeforeEach
    void ownUser() {
        user = new UserId("rebates-" + USERS.incrementAndGet());
        id = BehaviourId.of(user, "share", "one");
        behaviours.rule("share", CHANCES, CREDITS);
    }

    private void report() {
        commands.send(new ReportBehaviour(user, "share", "one"))
                .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private void awaitStates(RebateState... states) {
        await("states of " + id)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                behaviours.has(id)
                                        ? behaviours.find(id).rebates().stream()
                                                .map(rebate -> rebate.state())
                                                .toList()
                                        : List.of())
                        .isEqualTo(List.of(states)));
    }

    private void awaitEnded() {
        await("saga ended").atMost(LIMIT).until(() -> sagas(id) == 0);
    }

    private int sagas(BehaviourId behaviour) {
        return database.sql("SELECT count(*) FROM saga WHERE type = 'rebate' AND association = ?")
                .param(behaviour.text())
                .query(Integer.class)
                .single();
    }

    private void send(String key, String type, String content) {
        ProducerRecord<String, byte[]> message =
                new ProducerRecord<>(KafkaTopics.BEHAVIOURS, key, content.getBytes(UTF_8));
        message.headers().add("ce_specversion", "1.0".getBytes(UTF_8));
        message.headers().add("ce_id", "message".getBytes(UTF_8));
        message.headers().add("ce_type", type.getBytes(UTF_8));
        message.headers().add("ce_source", "/shop".getBytes(UTF_8));
        kafka.send(message).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    private String content(String number) {
        return """
                {"userId": "%s", "behaviour": "share", "outBusinessNo": "%s", "later": 1}""".formatted(user, number);
    }

    private static JsonNode json(MvcTestResult result) {
        return json(result, 200);
    }

    private static JsonNode json(MvcTestResult result, int status) {
        try {
            assertThat(result.getResponse().getStatus())
                    .as(result.getResponse().getContentAsString())
                    .isEqualTo(status);
            return JsonMapper.shared().readTree(result.getResponse().getContentAsString(UTF_8));
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<JsonNode> waiting() {
        return json(mvc.get().uri("/api/v1/ops/rebates?limit=100").exchange())
                .path("rebates")
                .valueStream()
                .filter(rebate -> rebate.path("behaviourId").asString().equals(id.text()))
                .toList();
    }

    /**
     * Returns what waits of this kind. Rebates of a behaviour are given at once, so that any of them can be refused
     * first.
     */
    private JsonNode waiting(String kind) {
        return waiting().stream()
                .filter(rebate -> rebate.path("rebate").path("kind").asString().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode decide(int index, String what, String body) {
        return json(decided(index, what, body));
    }

    private MvcTestResult decided(int index, String what, String body) {
        return mvc.post()
                .uri("/api/v1/ops/rebates/{id}/7/{index}/{what}", id.text(), index, what)
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange();
    }

    @Test
    @DisplayName("All rebates are given once, and then the saga ends.")
    void given() {
        report();
        awaitStates(RebateState.DONE, RebateState.DONE);
        awaitEnded();
        assertThat(behaviours.askedFor(id)).hasSize(2);
    }

    @Test
    @DisplayName("A rebate that fails is asked for again until it is given.")
    void again() {
        behaviours.fail(id, 3);
        report();
        awaitStates(RebateState.DONE, RebateState.DONE);
        awaitEnded();
        assertThat(behaviours.askedFor(id)).hasSize(5);
    }

    @Test
    @DisplayName("A behaviour has no second saga when all events are handled again.")
    void replayed() throws Exception {
        report();
        awaitStates(RebateState.DONE, RebateState.DONE);
        awaitEnded();
        int asked = behaviours.askedFor(id).size();
        processor.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(database.sql("DELETE FROM token WHERE processor = 'rebates'").update())
                .isPositive();
        processor.start();
        BehaviourId last = BehaviourId.of(user, "share", "last");
        commands.send(new ReportBehaviour(user, "share", "last"))
                .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        await("all was handled")
                .atMost(LIMIT)
                .until(() -> behaviours.askedFor(last).size() == 2 && sagas(last) == 0);
        awaitEnded();
        assertThat(behaviours.find(id).rebates()).allMatch(rebate -> rebate.state() == RebateState.DONE);
        assertThat(behaviours.askedFor(id).size()).isLessThanOrEqualTo(2 * asked);
    }

    @Test
    @DisplayName("A refused rebate is on the desk until a person lets it be given, or two give it up.")
    void desk() {
        behaviours.refuse(id, "SKU_SOLD_OUT");
        report();
        awaitStates(RebateState.REFUSED, RebateState.REFUSED);
        await("on the desk").atMost(LIMIT).until(() -> waiting().size() == 2);
        JsonNode chances = waiting("SKU");
        assertThat(chances.path("userId").asString()).isEqualTo(user.value());
        assertThat(chances.path("reason").asString()).isEqualTo("SKU_SOLD_OUT");
        assertThat(chances.path("rebate").path("activityId").asInt()).isEqualTo(100);
        assertThat(waiting("CREDIT").path("rebate").path("amount").asString()).isEqualTo("2.5");
        JsonNode page = json(mvc.get().uri("/api/v1/ops/rebates?limit=1").exchange());
        assertThat(page.path("rebates").size()).isEqualTo(1);
        assertThat(json(mvc.get()
                                .uri("/api/v1/ops/rebates?limit=1&cursor="
                                        + page.path("next").asString())
                                .exchange())
                        .path("rebates")
                        .get(0))
                .isNotEqualTo(page.path("rebates").get(0));

        assertThat(decide(0, "retry", "").path("reason").asString()).isEqualTo("SKU_SOLD_OUT");
        behaviours.refuse(id, "");
        assertThat(decide(0, "retry", "").path("state").asString()).isEqualTo("DONE");
        String reason = "{\"reason\": \"It was a test\"}";
        String proposal =
                json(decided(1, "drop", reason), 202).path("proposalId").asString();
        assertThat(waiting()).as("it still waits").hasSize(1);
        assertThat(proposal).isNotEmpty();
        // The command side does this when a second person agrees.
        commands.send(DropRebate.of(id.businessNo(RULE, 1)))
                .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        await("no longer on the desk").atMost(LIMIT).until(() -> waiting().isEmpty());
        awaitEnded();
        assertThat(decide(1, "drop", reason).path("state").asString()).isEqualTo("REFUSED");
        assertThat(decide(1, "retry", "").path("state").asString()).isEqualTo("REFUSED");
        assertThat(database.sql("SELECT action || coalesce(' ' || reason, '') FROM desk_decision WHERE subject = ?")
                        .param(id.businessNo(RULE, 1))
                        .query(String.class)
                        .list())
                .containsExactly("RETRY");
        assertThat(mvc.post()
                        .uri("/api/v1/ops/rebates/{id}/7/9/retry", id.text())
                        .exchange()
                        .getResponse()
                        .getStatus())
                .isEqualTo(404);
    }

    @Test
    @DisplayName("A message of another system does the same as a report over REST, however often it comes.")
    void message() {
        report();
        for (int i = 0; i < 3; i++) {
            send(user.value(), "lottery.behaviour.v1", content("one"));
            send(user.value(), "lottery.behaviour.v1", content("two"));
        }
        awaitStates(RebateState.DONE, RebateState.DONE);
        id = BehaviourId.of(user, "share", "two");
        awaitStates(RebateState.DONE, RebateState.DONE);
        send(user.value(), "lottery.behaviour.v1", content("three"));
        id = BehaviourId.of(user, "share", "three");
        awaitStates(RebateState.DONE, RebateState.DONE);
        assertThat(reader.on(TopicReader.BEHAVIOURS_DEAD, user.value())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    lottery.behaviour.v2 | {"userId": "KEY", "behaviour": "share", "outBusinessNo": "x"}
                    lottery.behaviour.v1 | {"userId": "ben", "behaviour": "share", "outBusinessNo": "x"}
                    lottery.behaviour.v1 | {"userId": "KEY", "behaviour": "Share!", "outBusinessNo": "x"}
                    lottery.behaviour.v1 | {"userId": "KEY", "behaviour": "sign", "outBusinessNo": "x"}
                    lottery.behaviour.v1 | {"userId": "KEY", "behaviour": "share"}
                    lottery.behaviour.v1 | nonsense
                    """)
    @DisplayName("A message that cannot be read is a dead letter at once, and those behind it go on.")
    void unreadable(String type, String content) {
        send(user.value(), type, content.replace("KEY", user.value()));
        send(user.value(), "lottery.behaviour.v1", content("one"));
        awaitStates(RebateState.DONE, RebateState.DONE);
        await("a dead letter")
                .atMost(LIMIT)
                .until(() ->
                        reader.on(TopicReader.BEHAVIOURS_DEAD, user.value()).size() == 1);
        await("on the desk")
                .atMost(LIMIT)
                .until(() -> database.sql("""
                                SELECT count(*) FROM dead_letter WHERE topic = 'lottery_behaviours' AND key_text = ?""")
                                .param(user.value())
                                .query(Integer.class)
                                .single()
                        == 1);
    }
}
