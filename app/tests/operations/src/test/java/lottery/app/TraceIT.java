package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the trace id of a request leads to all that came of it. */
@Tag("turn-2")
@DisplayName("The trace id of a request")
class TraceIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final String CREDITS = """
        "mode": "SINGLE", "awards": [
          {"awardId": 1, "title": "Points", "type": "CREDIT", "rate": "1", "sort": 1,
           "amount": {"min": "5", "max": "5"}}]\
        """;

    private static final String CHANCES = """
        "skus": [{"sku": 1, "total": 100, "month": 100, "day": 100}]\
        """;

    /** The topics with messages about a draw and its award, where the award goes over Kafka. */
    private static final Set<String> TOPICS = Set.of("lottery_events", "lottery_invoice");

    private static LotteryProcess lottery;
    private static TrialActivity activity;

    @BeforeAll
    static void open() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_FULFILMENT_DIRECT", "TEXT");
        lottery = LotteryProcess.open(environment);
        activity = TrialActivity.open(lottery, CREDITS, CHANCES);
        activity.recharge("ann");
    }

    @AfterAll
    static void close() {
        lottery.close();
    }

    @Test
    @DisplayName("The trace id of a refused request is in the problem document, the answer's header and the log")
    void refused() throws Exception {
        String trace = fresh();
        Reply reply = draw("nobody", "", "traceparent", traceparent(trace));
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.json().path("traceId").asString()).isEqualTo(trace);
        assertThat(reply.headers().getFirst("Trace-Id")).isEqualTo(trace);
        assertThat(lottery.output().lines())
                .anyMatch(line -> line.contains("[" + trace + "]") && line.contains("QUOTA_TOTAL"));
    }

    @Test
    @DisplayName("The trace id of a draw that wins is in each event and each message that comes of it")
    void won() {
        String trace = fresh();
        Reply reply = draw("ann", "{\"count\": 5}", "traceparent", traceparent(trace));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        assertThat(reply.headers().getFirst("Trace-Id")).isEqualTo(trace);
        requireAllOf(trace, 5);
    }

    @Test
    @DisplayName("A request without a trace id gets a new one, which is the same everywhere")
    void without() {
        Reply reply = draw("ann", "");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        String trace = Objects.requireNonNull(reply.headers().getFirst("Trace-Id"));
        assertThat(trace).matches("[0-9a-f]{32}");
        requireAllOf(trace, 1);
        Reply refused = draw("nobody", "", "traceparent", "00-nonsense-01");
        assertThat(refused.json().path("traceId").asString())
                .matches("[0-9a-f]{32}")
                .isEqualTo(refused.headers().getFirst("Trace-Id"))
                .isNotEqualTo(trace);
    }

    private static void requireAllOf(String trace, int draws) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(StoredFacts.eventsOf(trace))
                        .containsEntry("raffle.drawn", draws)
                        .containsEntry("award.won", draws)
                        .containsEntry("credit.booked", draws)
                        .containsEntry("award.granted", draws));
        assertThat(topicsOf(trace)).isEqualTo(TOPICS);
    }

    /** Returns the topics with a message that has this trace in both of its headers. */
    private static Set<String> topicsOf(String trace) {
        Map<String, String> settings = Map.of("group.id", "trace-" + trace, "auto.offset.reset", "earliest");
        Set<String> topics = new TreeSet<>();
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                ExternalFulfilment.settings(Servers.property("lottery.kafka.servers"), settings),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(TOPICS);
            await().atMost(SOON).until(() -> {
                for (ConsumerRecord<String, byte[]> letter : consumer.poll(Duration.ofMillis(200))) {
                    if (Stream.of("traceparent", "ce_traceparent")
                            .allMatch(name -> header(letter, name).contains("-" + trace + "-"))) {
                        topics.add(letter.topic());
                    }
                }
                return topics.size() == TOPICS.size();
            });
        }
        return topics;
    }

    private static String header(ConsumerRecord<?, ?> letter, String name) {
        return Stream.ofNullable(letter.headers().lastHeader(name))
                .map(header -> new String(header.value(), UTF_8))
                .findFirst()
                .orElse("");
    }

    private static Reply draw(String user, String body, String... headers) {
        return lottery.post(activity.account(user) + "/draws", body, headers);
    }

    private static String fresh() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static String traceparent(String trace) {
        return String.join("-", List.of("00", trace, "00f067aa0ba902b7", "01"));
    }
}
