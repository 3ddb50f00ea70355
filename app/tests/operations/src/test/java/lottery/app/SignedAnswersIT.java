package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import lottery.app.LotteryProcess.Reply;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests answers over Kafka where senders sign them. The senders are written by docs/fulfilment.md alone. */
@DisplayName("A lottery that knows the senders of answers")
class SignedAnswersIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String ANSWERS = "lottery_fulfilment";
    private static final String SHOP = "5b".repeat(32);
    private static final String PRINTER = "7c".repeat(32);
    private static final String LATE = "9d".repeat(32);

    private static final String RULES = """
        "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Won", "type": "%s", "rate": "1", "sort": 1, %s}]\
        """;

    private static final String COUPON = RULES.formatted("COUPON", "\"onFailure\": \"MANUAL\"");
    private static final String CREDIT = RULES.formatted("CREDIT", "\"amount\": {\"min\": \"5\", \"max\": \"5\"}");

    private static final String CHANCES = """
        "skus": [{"sku": 1, "total": 100, "month": 100, "day": 100}]\
        """;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private static LotteryProcess lottery;
    private static KafkaProducer<String, byte[]> answers;

    @BeforeAll
    static void open() throws Exception {
        lottery = LotteryProcess.open(environment());
        answers = new KafkaProducer<>(
                ExternalFulfilment.settings(Servers.property("lottery.kafka.servers"), Map.of("acks", "all")),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void close() {
        answers.close(Duration.ofSeconds(10));
        lottery.close();
    }

    private static Map<String, String> environment() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_FULFILMENT_DIRECT", "TEXT");
        environment.put("LOTTERY_FULFILMENT_SENDERS_SHOP_SECRET", SHOP);
        environment.put("LOTTERY_FULFILMENT_SENDERS_SHOP_TYPES", "COUPON,PHYSICAL");
        environment.put("LOTTERY_FULFILMENT_SENDERS_PRINTER_SECRET", PRINTER);
        environment.put("LOTTERY_FULFILMENT_SENDERS_PRINTER_TYPES", "TEXT");
        return environment;
    }

    private static TrialActivity newActivity(String rules) {
        TrialActivity activity = TrialActivity.open(lottery, rules, CHANCES);
        activity.recharge("ann");
        return activity;
    }

    private static String win(TrialActivity activity) {
        Reply drawn = activity.draw("ann", "draw-" + NUMBERS.incrementAndGet());
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        return drawn.json().path("awardRecordId").asString();
    }

    private static String freshId() {
        return "message-" + NUMBERS.incrementAndGet();
    }

    private static String content(String record, String result) {
        return "{\"awardRecordId\": \"%s\", \"result\": \"%s\", \"reference\": \"parcel\"}".formatted(record, result);
    }

    private static String signature(String secret, String sender, String id, String record, String content)
            throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(HexFormat.of().parseHex(secret), "HmacSHA256"));
        return HexFormat.of()
                .formatHex(mac.doFinal((sender + "\n" + id + "\n" + record + "\n" + content).getBytes(UTF_8)));
    }

    private static void send(String record, String id, String content, Map<String, String> more) throws Exception {
        ProducerRecord<String, byte[]> answer = new ProducerRecord<>(ANSWERS, record, content.getBytes(UTF_8));
        Map<String, String> headers = new LinkedHashMap<>(more);
        headers.putAll(
                Map.of("ce_specversion", "1.0", "ce_id", id, "ce_type", "lottery.fulfilment.v1", "ce_source", "/shop"));
        headers.forEach((name, value) -> answer.headers().add(name, value.getBytes(UTF_8)));
        answers.send(answer).get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static Map<String, String> signedBy(String sender, String signature) {
        return Map.of("ce_sender", sender, "ce_signature", signature);
    }

    private static void sendSigned(String secret, String sender, String record, String result) throws Exception {
        String id = freshId();
        String content = content(record, result);
        send(record, id, content, signedBy(sender, signature(secret, sender, id, record, content)));
    }

    /** Returns the dead letters with that key, the oldest first. */
    private static List<JsonNode> dead(String record) {
        return lottery.get("/api/v1/ops/dead-letters?limit=100&topic=" + ANSWERS)
                .json()
                .path("deadLetters")
                .valueStream()
                .filter(message -> message.path("key").asString().equals(record))
                .toList()
                .reversed();
    }

    private static List<String> causes(String record) {
        return dead(record).stream()
                .map(message -> message.path("cause").asString())
                .toList();
    }

    private static void awaitGranted(String record, String actor) {
        await("granted: " + record)
                .atMost(SOON)
                .untilAsserted(() -> assertThat(StoredFacts.actorsOfAward("award.granted", record))
                        .containsExactly(actor));
    }

    @Test
    @DisplayName("Only the answer of a sender that may answer for the award's type counts; all others are dead letters")
    void forged() throws Exception {
        TrialActivity activity = newActivity(COUPON);
        String record = win(activity);
        String other = win(activity);
        String granted = content(record, "GRANTED");
        String id = freshId();
        String genuine = signature(SHOP, "shop", id, record, granted);

        send(record, freshId(), granted, Map.of());
        send(record, freshId(), granted, Map.of("ce_sender", "shop"));
        send(record, id, granted, signedBy("mallory", genuine));
        send(record, id, granted, signedBy("shop", signature(PRINTER, "shop", id, record, granted)));
        send(record, id, content(record, "REJECTED"), signedBy("shop", genuine));
        send(record, freshId(), granted, signedBy("shop", genuine));
        send(other, id, granted, signedBy("shop", genuine));
        sendSigned(PRINTER, "printer", record, "GRANTED");
        sendSigned(PRINTER, "printer", record, "REJECTED");

        String wrong = "ce_signature is not valid for the sender shop and this message";
        String notPrinted = "there is no " + record + ", or not of the types of printer: TEXT";
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(causes(record))
                        .containsExactly(
                                "there is no ce_sender",
                                "there is no ce_signature",
                                "ce_sender mallory is not a configured sender",
                                wrong,
                                wrong,
                                wrong,
                                notPrinted,
                                notPrinted));
        await().atMost(SOON).untilAsserted(() -> assertThat(causes(other)).containsExactly(wrong));
        assertThat(StoredFacts.awardRecords(activity, "award.granted")).isEmpty();
        assertThat(StoredFacts.awardRecords(activity, "award.grant-rejected")).isEmpty();

        send(record, id, granted, signedBy("shop", genuine));
        awaitGranted(record, "shop fulfilment");
        sendSigned(SHOP, "shop", other, "REJECTED");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(StoredFacts.actorsOfAward("award.grant-rejected", other))
                        .containsExactly("shop fulfilment"));
    }

    @Test
    @DisplayName("A signed answer that is sent again changes nothing")
    void replayed() throws Exception {
        TrialActivity activity = newActivity(COUPON);
        String record = win(activity);
        String id = freshId();
        String granted = content(record, "GRANTED");
        Map<String, String> signed = signedBy("shop", signature(SHOP, "shop", id, record, granted));
        send(record, id, granted, signed);
        awaitGranted(record, "shop fulfilment");
        send(record, id, granted, signed);
        sendSigned(SHOP, "shop", record, "REJECTED");
        // Messages with one key are handled in order, so that those before it were handled when this one is.
        send(record, freshId(), granted, Map.of());
        await().atMost(SOON).untilAsserted(() -> assertThat(causes(record)).containsExactly("there is no ce_sender"));
        assertThat(StoredFacts.awardRecords(activity, "award.granted")).containsExactly(record);
        assertThat(StoredFacts.awardRecords(activity, "award.grant-rejected")).isEmpty();
    }

    @Test
    @DisplayName("What the product hands over over Kafka itself needs no sender")
    void ownFulfilment() {
        awaitGranted(win(newActivity(CREDIT)), "- -");
    }

    @Test
    @DisplayName("An answer of an unknown sender counts when its sender is configured and an operator sends it again")
    void mended() throws Exception {
        String record = win(newActivity(COUPON));
        sendSigned(LATE, "late", record, "GRANTED");
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(causes(record)).containsExactly("ce_sender late is not a configured sender"));
        String deadLetter = dead(record).getFirst().path("id").asString();

        lottery.close();
        Map<String, String> environment = environment();
        environment.put("LOTTERY_FULFILMENT_SENDERS_LATE_SECRET", LATE);
        environment.put("LOTTERY_FULFILMENT_SENDERS_LATE_TYPES", "COUPON");
        lottery = LotteryProcess.open(environment);
        Reply retried = lottery.post("/api/v1/ops/dead-letters/" + deadLetter + "/retry", "");
        assertThat(retried.status()).as(retried.text()).isEqualTo(200);
        awaitGranted(record, "late fulfilment");
    }
}
