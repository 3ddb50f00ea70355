package lottery.messaging.invoice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.UnreadableMessageException;
import lottery.messaging.invoice.FulfilmentSystemSettings.Sender;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The reader of fulfilment's answers")
class FulfilmentAnswerReaderTest {

    /** The bytes 0 to 31, and 32 times the byte 1. */
    private static final String SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    private static final String HEXADECIMAL = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final String OTHER = "01".repeat(32);

    private static final String RECORD = "award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11";
    private static final String VALUE =
            "{\"awardRecordId\":\"" + RECORD + "\",\"result\":\"GRANTED\",\"reference\":\"省-1\"}";

    /** Computed by the program in docs/fulfilment.md. */
    private static final String SIGNATURE = "8c15c9cb4b10507fc457eada4e097ae59e279fc97c271bbef5957c703a1b4e34";

    private static final TraceId TRACE = new TraceId("4bf92f3577b34da6a3ce929d0e0e4731");

    private static Sender sender(String... secrets) {
        return new Sender(List.of(secrets), Set.of(AwardType.COUPON, AwardType.PHYSICAL));
    }

    private static CommandMessage<AwardCommand> read(
            Map<String, Sender> senders, ConsumerRecord<String, byte[]> answer) {
        return new FulfilmentAnswerReader(new FulfilmentSystemSettings(senders)).read(answer);
    }

    private static CommandMessage<AwardCommand> read(ConsumerRecord<String, byte[]> answer) {
        return read(Map.of("shop", sender(SECRET), "printer", sender(OTHER)), answer);
    }

    private static ConsumerRecord<String, byte[]> answer(
            @Nullable String key, @Nullable String value, Map<String, String> more) {
        ConsumerRecord<String, byte[]> answer =
                new ConsumerRecord<>("topic", 0, 0, key, value == null ? null : value.getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "shop-4711", "ce_source", "/shop", "ce_type", "lottery.fulfilment.v1")
                .forEach((name, text) -> answer.headers().add(name, text.getBytes(UTF_8)));
        answer.headers().add("traceparent", TRACE.traceparent("1").getBytes(UTF_8));
        more.forEach((name, text) -> answer.headers().add(name, text.getBytes(UTF_8)));
        return answer;
    }

    private static ConsumerRecord<String, byte[]> signed(
            @Nullable String key, @Nullable String value, String sender, String signature) {
        return answer(key, value, Map.of("ce_sender", sender, "ce_signature", signature));
    }

    private static void refused(ConsumerRecord<String, byte[]> answer, String cause) {
        assertThatThrownBy(() -> read(answer))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessage(cause);
    }

    @Test
    @DisplayName("An answer that another program has signed acts for its sender, within the sender's types.")
    void known() {
        CommandMessage<AwardCommand> command = read(signed(RECORD, VALUE, "shop", SIGNATURE));
        assertThat(command.getPayload()).isEqualTo(new GrantAward(AwardRecordId.of(RECORD), "省-1"));
        assertThat(TraceId.in(command)).contains(TRACE);
        assertThat(Actor.in(command))
                .contains(new Actor(
                        "shop",
                        "fulfilment",
                        Set.of("fulfilment"),
                        new Actor.AccessScope(false, Set.of("COUPON", "PHYSICAL"))));
    }

    @Test
    @DisplayName("Without any sender an answer needs no signature and acts for nobody.")
    void withoutSenders() {
        CommandMessage<AwardCommand> command = read(Map.of(), answer(null, VALUE, Map.of()));
        assertThat(command.getPayload()).isEqualTo(new GrantAward(AwardRecordId.of(RECORD), "省-1"));
        assertThat(TraceId.in(command)).contains(TRACE);
        assertThat(Actor.in(command)).isEmpty();
    }

    @Test
    @DisplayName("An answer without a known sender and its signature is unreadable, and the cause says why.")
    void unsigned() {
        refused(answer(RECORD, VALUE, Map.of()), "there is no ce_sender");
        refused(answer(RECORD, VALUE, Map.of("ce_sender", "shop")), "there is no ce_signature");
        refused(signed(RECORD, VALUE, "mallory", SIGNATURE), "ce_sender mallory is not a configured sender");
        refused(signed(RECORD, VALUE, "Shop", SIGNATURE), "ce_sender Shop is not a configured sender");
        refused(signed(RECORD, null, "shop", SIGNATURE), "there is no content");
    }

    @Test
    @DisplayName("A signature is valid for its sender, its id, its award record and its exact content only.")
    void bound() {
        String wrong = "ce_signature is not valid for the sender shop and this message";
        refused(
                signed(RECORD, VALUE, "printer", SIGNATURE),
                "ce_signature is not valid for the sender printer and this message");
        refused(signed(RECORD, VALUE + " ", "shop", SIGNATURE), wrong);
        refused(signed(RECORD, VALUE.replace("GRANTED", "REJECTED"), "shop", SIGNATURE), wrong);
        refused(signed(RECORD.replace("0e-", "0f-"), VALUE, "shop", SIGNATURE), wrong);
        refused(signed(null, VALUE, "shop", SIGNATURE), wrong);
        refused(signed(RECORD, VALUE, "shop", SIGNATURE.replace('8', '9')), wrong);
        refused(signed(RECORD, VALUE, "shop", ""), "there is no ce_signature");
        ConsumerRecord<String, byte[]> otherId = signed(RECORD, VALUE, "shop", SIGNATURE);
        otherId.headers().remove("ce_id").add("ce_id", "shop-4712".getBytes(UTF_8));
        refused(otherId, wrong);
    }

    @Test
    @DisplayName("A sender cannot sign for one award record as the key and answer for another.")
    void otherKey() {
        String key = RECORD.replace("0e-", "0f-");
        String signature = FulfilmentSystemCredentials.signature(
                Objects.requireNonNull(new FulfilmentSystemSettings(Map.of("shop", sender(SECRET)))
                                .answerSenders()
                                .get("shop"))
                        .keys()
                        .getFirst(),
                "shop",
                "shop-4711",
                key,
                VALUE.getBytes(UTF_8));
        refused(signed(key, VALUE, "shop", signature), "the key is not the award record of the content");
    }

    @Test
    @DisplayName("A line end in the id is refused, because it would make the signed text ambiguous.")
    void lineEnd() {
        ConsumerRecord<String, byte[]> answer = signed(RECORD, VALUE, "shop", SIGNATURE);
        answer.headers().remove("ce_id").add("ce_id", "shop\n4711".getBytes(UTF_8));
        refused(answer, "ce_id has a line end");
    }

    @Test
    @DisplayName("A secret is the same in Base64 and in hexadecimal digits, and two secrets are valid at once.")
    void secrets() {
        ConsumerRecord<String, byte[]> answer = signed(RECORD, VALUE, "shop", SIGNATURE);
        for (Sender sender : List.of(sender(HEXADECIMAL), sender(OTHER, SECRET), sender(SECRET, OTHER))) {
            assertThat(Actor.in(read(Map.of("shop", sender), answer))).isPresent();
        }
    }

    @Test
    @DisplayName("The settings are refused if they are incomplete or weak, and never show a secret.")
    void settings() {
        String weak = "c2VjcmV0IHNlY3JldCBzZWNyZXQ=";
        assertRefused(Map.of("shop", sender()), "lottery.fulfilment.senders.shop has no secret");
        assertRefused(Map.of("shop", sender(weak)), "shop has a secret with fewer than 32 bytes");
        assertRefused(Map.of("shop", sender("0".repeat(63))), "shop has a secret with fewer than 32 bytes");
        assertRefused(Map.of("shop", sender("_".repeat(64))), "shop has a secret with fewer than 32 bytes");
        assertRefused(Map.of("my-shop", sender(SECRET)), "my-shop has a name that is not 1 to 40 of a-z and 0-9");
        assertRefused(Map.of("shop", new Sender(List.of(SECRET), Set.of())), "shop has no types");
        assertRefused(Map.of("shop", sender(SECRET), "printer", sender(SECRET)), "has a secret that is set twice");
        assertThatThrownBy(() -> new FulfilmentSystemSettings(Map.of("shop", sender(weak))))
                .hasMessageNotContaining(weak);
        assertThat(new FulfilmentSystemSettings(Map.of("shop", sender(SECRET))).toString())
                .contains("shop", "COUPON")
                .doesNotContain(SECRET);
    }

    private static void assertRefused(Map<String, Sender> senders, String why) {
        assertThatThrownBy(() -> new FulfilmentSystemSettings(senders))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    @DisplayName("Senders are read from settings, with lists divided by commas.")
    void properties() {
        new ApplicationContextRunner()
                .withUserConfiguration(FulfilmentAnswerReader.class)
                .withPropertyValues(
                        "lottery.fulfilment.direct=TEXT",
                        "lottery.fulfilment.senders.shop.secret=" + OTHER + "," + SECRET,
                        "lottery.fulfilment.senders.shop.types=COUPON,PHYSICAL")
                .run(running -> assertThat(Actor.in(running.getBean(FulfilmentAnswerReader.class)
                                        .read(signed(RECORD, VALUE, "shop", SIGNATURE)))
                                .map(Actor::name))
                        .contains("shop"));
    }
}
