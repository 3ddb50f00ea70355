package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import lottery.app.LotteryProcess.Reply;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/** Tests the erasure of a person with the packaged jar, from a claim to the replay of all read models. */
@Tag("turn-3")
@DisplayName("A person")
class PersonIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final int ACTIVITY = 775_001;
    private static final String ANN = "person-" + ACTIVITY;
    private static final String PERSON = "/api/v1/users/" + ANN + "/person";

    /** Texts that are nowhere else in the database that the tests share. */
    private static final String STREET = "Quince Lane " + UUID.randomUUID();

    private static final String LATER = "Medlar Court " + UUID.randomUUID();
    private static final String CAUSE = "Sells tickets " + UUID.randomUUID();

    private static TokenIssuer issuer;
    private static LotteryProcess lottery;
    private static final List<String> OUTPUTS = new ArrayList<>();

    @BeforeAll
    static void open() throws Exception {
        issuer = new TokenIssuer();
        lottery = LotteryProcess.open(Servers.environmentOfIdentity(issuer));
    }

    @AfterAll
    static void close() {
        lottery.close();
        issuer.close();
    }

    private static Reply as(String name, String role, HttpMethod method, String path, @Nullable String body) {
        List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + issuer.token(name, role)));
        if (method.equals(HttpMethod.POST)) {
            headers.addAll(List.of("Idempotency-Key", UUID.randomUUID().toString()));
        }
        return lottery.ask(method, path, body, headers.toArray(String[]::new));
    }

    private static JsonNode require(int status, Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        return reply.json();
    }

    /** Does a step that the saga of the activity may do first. */
    private static void transit(String name, String role, String action) {
        String path = "/api/v1/activities/" + ACTIVITY + "/transitions";
        await().atMost(SOON).until(() -> {
            Reply reply = as(name, role, HttpMethod.POST, path, "{\"action\": \"%s\"}".formatted(action));
            return reply.status() == 200
                    || (action.equals("start") && reply.code().equals("ACTIVITY_STATE"));
        });
    }

    /** Opens an activity in which each draw wins a parcel that waits for a release. */
    private static void openActivity() {
        require(201, as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE",
                 "awards": [{"awardId": 1, "title": "Bicycle", "type": "PHYSICAL", "rate": "1", "sort": 1,
                             "grant": {"timing": "MANUAL"}, "onFailure": "MANUAL"}]}""".formatted(ACTIVITY)));
        require(201, as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Tea", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "skus": [{"sku": 1, "total": 900, "month": 900, "day": 900}]}""".formatted(ACTIVITY, ACTIVITY)));
        transit("olga", "operator", "submit");
        transit("paul", "approver", "pass");
        transit("olga", "operator", "start");
        require(201, as("shop", "front", HttpMethod.POST, account() + "/recharges", """
                {"sku": 1, "outBusinessNo": "person-%d"}""".formatted(ACTIVITY)));
    }

    private static String account() {
        return "/api/v1/activities/%d/accounts/%s".formatted(ACTIVITY, ANN);
    }

    private static String win() {
        return require(201, as(ANN, "player", HttpMethod.POST, account() + "/draws", null))
                .path("awardRecordId")
                .asString();
    }

    private static Reply claim(String record, String street) {
        return as(ANN, "player", HttpMethod.POST, "/api/v1/award-records/" + record + "/claim", """
                {"name": "Ann %1$s", "phone": "1", "address": "%1$s", "note": "Ring"}""".formatted(street));
    }

    private static void release(String record) {
        require(200, as("dora", "desk", HttpMethod.POST, "/api/v1/ops/award-records/" + record + "/release", null));
    }

    private static void awaitState(String record, String state) {
        await().atMost(SOON)
                .until(() -> as(ANN, "player", HttpMethod.GET, "/api/v1/award-records/" + record, null)
                        .json()
                        .path("state")
                        .asString()
                        .equals(state));
    }

    private static void grant(String record) {
        require(
                200,
                as("parcels", "fulfilment", HttpMethod.POST, "/api/v1/award-records/" + record + "/fulfilments", """
                {"result": "GRANTED", "reference": "parcel"}"""));
    }

    private static JsonNode person() {
        return require(200, as("dora", "desk", HttpMethod.GET, PERSON, null));
    }

    private static Reply erase(String name) {
        return as(name, "desk", HttpMethod.DELETE, PERSON, "{\"reason\": \"Request 17\"}");
    }

    private static Reply agree(String name, String proposal) {
        return as(name, "desk", HttpMethod.POST, "/api/v1/ops/proposals/" + proposal + "/decision", """
                {"decision": "AGREE"}""");
    }

    private static void restart() throws Exception {
        OUTPUTS.add(lottery.output());
        lottery.kill();
        lottery = LotteryProcess.open(Servers.environmentOfIdentity(issuer));
    }

    @Test
    @DisplayName("is forgotten when two of the desk want it, and everything else goes on as before")
    void forgotten() throws Exception {
        openActivity();
        String sent = win();
        String held = win();
        require(200, claim(sent, STREET));
        require(200, claim(sent, STREET));
        require(200, claim(held, STREET));
        release(sent);
        awaitState(sent, "DISPATCHED");
        assertThat(invoices(sent))
                .singleElement()
                .satisfies(invoice -> assertThat(invoice).contains(STREET));
        require(201, as("dora", "desk", HttpMethod.POST, "/api/v1/users/" + ANN + "/ban", """
                {"reason": "%s"}""".formatted(CAUSE)));

        await().atMost(SOON).until(() -> person().path("claims").size() == 2);
        requireInClear(person());
        assertThat(as("dora", "desk", HttpMethod.GET, "/api/v1/bans?limit=100", null)
                        .text())
                .contains(CAUSE);
        requireNowhere(STREET, CAUSE);

        JsonNode proposed = require(202, erase("dora"));
        assertThat(proposed.path("state").asString()).isEqualTo("PROPOSED");
        String proposal = proposed.path("proposalId").asString();
        assertThat(require(202, erase("dora"))).isEqualTo(proposed);
        assertThat(require(202, erase("dan"))).isEqualTo(proposed);
        require(403, agree("dora", proposal));
        require(404, agree("dan", "proposal:33-e5173994-fc37-8861-b836-9cad666a564f"));
        require(403, as("olga", "operator", HttpMethod.DELETE, PERSON, "{\"reason\": \"Request 17\"}"));
        restart();
        require(403, agree("dora", proposal));
        requireInClear(person());
        assertThat(require(200, agree("dan", proposal)).path("state").asString())
                .isEqualTo("AGREED");
        assertThat(require(200, agree("dan", proposal)).path("state").asString())
                .isEqualTo("AGREED");
        assertThat(erase("dan").status()).isEqualTo(204);

        requireErased(person());
        assertThat(as("dora", "desk", HttpMethod.GET, "/api/v1/bans?limit=100", null)
                        .text())
                .contains(ANN)
                .doesNotContain(CAUSE);
        assertThat(as(ANN, "player", HttpMethod.POST, account() + "/draws", null)
                        .code())
                .isEqualTo("USER_BANNED");
        // No invoice goes out again without its address.
        assertThat(as("dora", "desk", HttpMethod.POST, "/api/v1/ops/award-records/" + sent + "/invoices", """
                {"reason": "It was lost"}""")
                        .code())
                .isEqualTo("AWARD_STATE");

        release(held);
        await().atMost(SOON).until(() -> StoredFacts.eventsOfRecord(held).contains("award.address-erased"));
        assertThat(invoices(held)).isEmpty();
        awaitState(held, "WON");
        require(200, claim(held, LATER));
        awaitState(held, "DISPATCHED");
        assertThat(invoices(held))
                .singleElement()
                .satisfies(invoice -> assertThat(invoice).contains(LATER).doesNotContain(STREET));
        grant(sent);
        grant(held);
        // Its parcel was on the way when the person was erased.
        awaitState(sent, "GRANTED");
        awaitState(held, "GRANTED");

        replayAll();
        assertThat(person().toString()).contains(LATER).doesNotContain(STREET, CAUSE);
        restart();
        assertThat(person().toString()).contains(LATER).doesNotContain(STREET, CAUSE);
        JsonNode verified = require(
                200, as("alan", "auditor", HttpMethod.POST, "/api/v1/activities/" + ACTIVITY + "/verifications", null));
        assertThat(verified.path("draws").asInt()).isEqualTo(2);
        assertThat(verified.path("agreed").asInt()).isEqualTo(2);
        assertThat(as("alan", "auditor", HttpMethod.GET, "/api/v1/ops/personal-reads?actor=dora&limit=100", null)
                        .text())
                .contains(PERSON);
        await().atMost(SOON)
                .until(() -> as("alan", "auditor", HttpMethod.GET, "/api/v1/ops/audit?actor=dan", null)
                        .text()
                        .contains("person.erased"));
        OUTPUTS.add(lottery.output());
        requireNowhere(STREET, LATER, CAUSE);
        StoredFacts.awaitSound();
    }

    private static void requireInClear(JsonNode person) {
        assertThat(person.path("claims").valueStream()).hasSize(2).allSatisfy(claim -> {
            assertThat(claim.at("/address/address").asString()).isEqualTo(STREET);
            assertThat(claim.path("erased").asBoolean()).isFalse();
        });
        assertThat(person.at("/bans/0/reason").asString()).isEqualTo(CAUSE);
        assertThat(person.at("/activities/0").asInt()).isEqualTo(ACTIVITY);
    }

    private static void requireErased(JsonNode person) {
        assertThat(person.toString()).doesNotContain(STREET, CAUSE);
        assertThat(person.path("claims").valueStream()).hasSize(2).allSatisfy(claim -> {
            assertThat(claim.has("address")).isFalse();
            assertThat(claim.path("erased").asBoolean()).isTrue();
        });
        assertThat(person.at("/bans/0/erased").asBoolean()).isTrue();
    }

    private static void replayAll() {
        String projections = "/api/v1/ops/projections";
        List<String> names = require(200, as("olga", "operator", HttpMethod.GET, projections, null))
                .path("items")
                .valueStream()
                .filter(state -> state.path("replayable").asBoolean())
                .map(state -> state.path("name").asString())
                .toList();
        assertThat(names).isNotEmpty();
        for (String name : names) {
            await().atMost(SOON)
                    .until(() -> as("olga", "operator", HttpMethod.POST, projections + "/" + name + "/replay", null)
                                    .status()
                            == 202);
        }
        await().atMost(SOON)
                .until(() -> require(200, as("olga", "operator", HttpMethod.GET, projections, null))
                        .path("items")
                        .valueStream()
                        .noneMatch(state -> state.has("replay")));
    }

    /** Requires that no table, no key or header of a message, and no line of a log has one of these texts. */
    private static void requireNowhere(String... texts) {
        for (String text : texts) {
            assertThat(StoredFacts.tablesWith(text)).as(text).isEmpty();
            assertThat(messages())
                    .isNotEmpty()
                    .noneMatch(message -> String.valueOf(message.key()).contains(text)
                            || message.headers().toString().contains(text));
            assertThat(OUTPUTS).noneMatch(output -> output.contains(text));
        }
    }

    /** Returns the contents of the invoices of an award record. */
    private static List<String> invoices(String record) {
        return messages().stream()
                .map(message -> new String(message.value(), UTF_8))
                .filter(content -> content.contains(record))
                .toList();
    }

    /** Returns all messages on the topic of invoices that are about this user. */
    private static List<ConsumerRecord<String, byte[]>> messages() {
        Map<String, String> settings =
                Map.of("group.id", "person-" + UUID.randomUUID(), "auto.offset.reset", "earliest");
        List<ConsumerRecord<String, byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                ExternalFulfilment.settings(Servers.property("lottery.kafka.servers"), settings),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(Set.of("lottery_invoice"));
            await().atMost(SOON).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(found::add);
                return !consumer.assignment().isEmpty()
                        && consumer.currentLag(consumer.assignment().iterator().next())
                                .isPresent()
                        && consumer.assignment().stream()
                                .allMatch(place -> consumer.currentLag(place).orElse(1) == 0);
            });
        }
        return found.stream().filter(message -> ANN.equals(message.key())).toList();
    }
}
