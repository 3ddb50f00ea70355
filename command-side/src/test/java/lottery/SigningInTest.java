package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A sign-in")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(SigningInTest.Clocks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SigningInTest {

    private static final AtomicLong NUMBERS = new AtomicLong(500);

    /** The time that all nodes of this test see; null: the system's. */
    private static volatile Instant now = Instant.EPOCH;

    @TestConfiguration(proxyBeanMethods = false)
    static class Clocks {

        @Bean
        @Primary
        InstantSource settableClock() {
            return () -> now.equals(Instant.EPOCH) ? Instant.now() : now;
        }
    }

    private final Http http;
    private final JdbcClient database;

    private ConfigurableApplicationContext otherNode;
    private Http elsewhere;

    @Autowired
    SigningInTest(@LocalServerPort int port, JdbcClient database) {
        this.http = new Http(port);
        this.database = database;
    }

    @BeforeAll
    void startAnotherNode() {
        otherNode = new SpringApplicationBuilder(TestLottery.class, Clocks.class)
                .properties("server.port=0")
                .run();
        elsewhere = new Http(otherNode.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @AfterAll
    void stopIt() {
        otherNode.close();
    }

    @AfterEach
    void today() {
        now = Instant.EPOCH;
    }

    private static String someone() {
        return "signer-" + NUMBERS.incrementAndGet();
    }

    private static Response sign(Http node, String user, String body) {
        return node.post("/api/v1/users/" + user + "/sign-ins", body);
    }

    private String signAt(String time, String user, String body) {
        now = Instant.parse(time);
        Response signed = sign(http, user, body);
        assertThat(signed.status()).as(signed.text()).isIn(200, 201);
        return signed.status() + " " + signed.json().get("day").asString() + " "
                + signed.json().get("streak").asInt() + " "
                + signed.json().get("daysThisMonth").asInt();
    }

    @Test
    @DisplayName("A user signs in once a day, whatever both nodes are asked at once, and each answer is the same.")
    void once() throws Exception {
        now = Instant.parse("2026-11-30T04:00:00Z");
        String user = someone();
        Set<String> answers = new HashSet<>();
        int made = 0;
        for (Response answer : TestActivity.inParallel(
                50, i -> TestActivity.insist(() -> sign(i % 2 == 0 ? http : elsewhere, user, "")))) {
            assertThat(answer.status()).as(answer.text()).isIn(200, 201);
            made += answer.status() == 201 ? 1 : 0;
            answers.add(answer.text());
        }
        assertThat(answers).hasSize(1);
        assertThat(made).isLessThanOrEqualTo(1);
        assertThat(database.sql("SELECT count(*) FROM event WHERE aggregate_id LIKE 'sign-in:%:' || ?")
                        .param(user)
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("The day ends in the zone of the lottery, and a streak goes on over the end of the month.")
    void monthEnd() {
        String user = someone();
        // 23:59:59 and 00:00:01 in Shanghai.
        assertThat(signAt("2026-11-29T15:59:59Z", user, "")).isEqualTo("201 2026-11-29 1 1");
        assertThat(signAt("2026-11-29T16:00:01Z", user, "")).isEqualTo("201 2026-11-30 2 2");
        assertThat(signAt("2026-11-30T15:59:59Z", user, "{}")).isEqualTo("200 2026-11-30 2 2");
        assertThat(signAt("2026-11-30T16:00:01Z", user, "")).isEqualTo("201 2026-12-01 3 1");
        assertThat(signAt("2026-12-02T16:00:01Z", user, "")).isEqualTo("201 2026-12-03 1 2");
    }

    @ParameterizedTest
    @CsvSource({
        "America/New_York, 2028-02-29T04:59:59Z, 2028-02-28, 2028-02-29T05:00:01Z, 2028-02-29, 2028-03-01T05:00:01Z, 2028-03-01",
        "Pacific/Kiritimati, 2027-02-27T09:59:59Z, 2027-02-27, 2027-02-27T10:00:01Z, 2027-02-28, 2027-02-28T10:00:01Z, 2027-03-01",
    })
    @DisplayName("The day ends in the zone that a front says, around a month's end and a leap day.")
    void zones(String zone, String one, String first, String two, String second, String three, String third) {
        String user = someone();
        String body = "{\"zone\": \"%s\"}".formatted(zone);
        assertThat(signAt(one, user, body)).startsWith("201 " + first + " 1");
        assertThat(signAt(two, user, body)).startsWith("201 " + second + " 2");
        assertThat(signAt(three, user, body)).isEqualTo("201 " + third + " 3 1");
    }

    @Test
    @DisplayName("Days go forward only, also over the end of a month: another zone brings no day of before.")
    void forward() {
        String user = someone();
        assertThat(signAt("2026-11-30T12:00:00Z", user, "{\"zone\": \"Pacific/Kiritimati\"}"))
                .isEqualTo("201 2026-12-01 1 1");
        assertThat(signAt("2026-11-30T12:00:00Z", user, "{\"zone\": \"Etc/GMT+12\"}"))
                .isEqualTo("200 2026-12-01 1 1");
        assertThat(signAt("2026-12-02T12:00:00Z", user, "{\"zone\": \"Etc/GMT+12\"}"))
                .isEqualTo("201 2026-12-02 2 2");
    }

    @Test
    @DisplayName(
            "Two days around the end of a month are one streak, or only the later day, if both nodes are asked at once.")
    void monthEndAtOnce() throws Exception {
        now = Instant.parse("2026-11-30T12:00:00Z");
        for (int round = 0; round < 20; round++) {
            String user = someone();
            Set<String> answers = new HashSet<>();
            for (Response answer : TestActivity.inParallel(
                    2,
                    i -> TestActivity.insist(() -> i == 0
                            ? sign(http, user, "{\"zone\": \"UTC\"}")
                            : sign(elsewhere, user, "{\"zone\": \"Pacific/Kiritimati\"}")))) {
                assertThat(answer.status()).as(answer.text()).isIn(200, 201);
                answers.add(answer.json().get("day").asString() + " "
                        + answer.json().get("streak").asInt());
            }
            assertThat(answers).isIn(Set.of("2026-11-30 1", "2026-12-01 2"), Set.of("2026-12-01 1"));
        }
    }

    @Test
    @DisplayName("A zone that there is not is refused.")
    void noZone() {
        assertThat(sign(http, someone(), "{\"zone\": \"Europe/Atlantis\"}").status())
                .isEqualTo(400);
        assertThat(sign(http, someone(), "{\"day\": \"2026-11-30\"}").status()).isEqualTo(400);
    }

    @Test
    @DisplayName("The rules of a sign-in pay, and a streak rule pays at each multiple of its days.")
    void pays() {
        long number = NUMBERS.incrementAndGet();
        define(number, "");
        define(number + 1_000, "\"streak\": 3,");
        try {
            String user = someone();
            for (int day = 1; day <= 7; day++) {
                now = Instant.parse("2026-12-0%dT04:00:00Z".formatted(day));
                Response signed = sign(http, user, "");
                List<Long> paying = signed.json()
                        .get("rebates")
                        .valueStream()
                        .map(rebate -> rebate.get("ruleId").asLong())
                        .filter(rule -> rule == number || rule == number + 1_000)
                        .toList();
                assertThat(paying)
                        .as("day " + day)
                        .isEqualTo(day % 3 == 0 ? List.of(number, number + 1_000) : List.of(number));
                assertThat(sign(http, user, "").text()).isEqualTo(signed.text());
            }
            assertThat(http.post("/api/v1/users/" + user + "/behaviours", """
                            {"behaviour": "sign", "outBusinessNo": "sign-in:%s"}""".formatted(LocalDate.parse("2026-12-08")))
                            .status())
                    .isEqualTo(400);
        } finally {
            close(number, "");
            close(number + 1_000, "\"streak\": 3,");
        }
    }

    private void define(long rule, String more) {
        put(rule, more, "OPEN");
    }

    private void close(long rule, String more) {
        put(rule, more, "CLOSED");
    }

    private void put(long rule, String more, String state) {
        Http.Response put = http.put("/api/v1/rebate-rules/" + rule, """
                {"behaviour": "sign", "rebates": [{"kind": "CREDIT", "amount": "1"}], %s "state": "%s"}""".formatted(more, state));
        assertThat(put.status()).isEqualTo(state.equals("OPEN") ? 202 : 200);
        if (put.status() == 202) {
            assertThat(http.post(
                                    "/api/v1/ops/proposals/"
                                            + put.json().get("proposalId").asString() + "/decision",
                                    "{\"decision\": \"AGREE\"}")
                            .status())
                    .isEqualTo(200);
        }
    }
}
