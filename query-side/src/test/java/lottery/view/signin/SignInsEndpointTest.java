package lottery.view.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.LocalDate;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourId;
import lottery.api.signin.SignInEvent.UserSignedIn;
import lottery.api.signin.SignInsId;
import lottery.stage.OnStage;
import lottery.stage.PatientRedis;
import lottery.stage.Script;
import lottery.stage.StageClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@OnStage
@DisplayName("The sign-ins of a user over REST")
class SignInsEndpointTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final AtomicInteger USERS = new AtomicInteger();

    private final MockMvcTester mvc;
    private final Script script;
    private final StageClock clock;
    private final StringRedisTemplate redis;

    private UserId user = new UserId("signer");

    @Autowired
    SignInsEndpointTest(MockMvcTester mvc, Script script, StageClock clock, PatientRedis redis) {
        this.mvc = mvc;
        this.script = script;
        this.clock = clock;
        this.redis = redis.template();
    }

    @BeforeEach
    void ownUser() {
        user = new UserId("signer-" + USERS.incrementAndGet());
        clock.set("2026-11-06T04:00:00Z");
    }

    private void signed(String day, int streak, int daysThisMonth) {
        LocalDate date = LocalDate.parse(day);
        script.happens(
                new SignInsId(user),
                new UserSignedIn(user, date, streak, daysThisMonth, BehaviourId.of(user, "sign", "sign-in:" + day)));
    }

    private MvcTestResult get(String query) {
        return mvc.get().uri("/api/v1/users/" + user + "/sign-ins" + query).exchange();
    }

    private void awaitAnswer(String query, String body) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(get(query)).bodyJson().isLenientlyEqualTo(body));
    }

    @Test
    @DisplayName("The answer has the days of the month, and the same after Redis has lost its memory.")
    void forgotten() {
        signed("2026-11-01", 1, 1);
        signed("2026-11-02", 2, 2);
        signed("2026-11-05", 1, 3);
        String three = "{\"month\": \"2026-11\", \"days\": [1, 2, 5], \"streak\": 1}";
        awaitAnswer("?month=2026-11", three);
        assertThat(get("")).bodyJson().isLenientlyEqualTo(three);

        redis.execute((RedisCallback<Boolean>) connection -> {
            connection.serverCommands().flushAll();
            return true;
        });
        assertThat(get("?month=2026-11")).bodyJson().isLenientlyEqualTo(three);
        signed("2026-11-06", 2, 4);
        awaitAnswer("?month=2026-11", "{\"month\": \"2026-11\", \"days\": [1, 2, 5, 6], \"streak\": 2}");

        script.replay("sign-ins");
        assertThat(get("?month=2026-11"))
                .bodyJson()
                .isLenientlyEqualTo("{\"month\": \"2026-11\", \"days\": [1, 2, 5, 6], \"streak\": 2}");
    }

    @Test
    @DisplayName("A user who has never signed in has no days and no streak.")
    void never() {
        assertThat(get("?month=2026-10"))
                .bodyJson()
                .isLenientlyEqualTo("{\"month\": \"2026-10\", \"days\": [], \"streak\": 0}");
    }

    @Test
    @DisplayName("The streak ends with the first day that is over and was missed, in the zone of the question.")
    void streakEnds() {
        signed("2026-11-04", 1, 1);
        signed("2026-11-05", 2, 2);
        clock.set("2026-11-06T15:59:59Z");
        awaitAnswer("", "{\"today\": \"2026-11-06\", \"month\": \"2026-11\", \"days\": [4, 5], \"streak\": 2}");
        clock.set("2026-11-06T16:00:00Z");
        awaitAnswer("", "{\"today\": \"2026-11-07\", \"month\": \"2026-11\", \"days\": [4, 5], \"streak\": 0}");
        awaitAnswer(
                "?zone=Europe/Berlin",
                "{\"today\": \"2026-11-06\", \"month\": \"2026-11\", \"days\": [4, 5], \"streak\": 2}");
    }

    @Test
    @DisplayName("The streak goes on over the end of the month, and a month that is over keeps its own.")
    void overTheEnd() {
        signed("2028-02-28", 1, 1);
        signed("2028-02-29", 2, 2);
        clock.set("2028-03-01T04:00:00Z");
        awaitAnswer("", "{\"month\": \"2028-03\", \"days\": [], \"streak\": 2}");
        awaitAnswer("?month=2028-02", "{\"month\": \"2028-02\", \"days\": [28, 29], \"streak\": 2}");
        signed("2028-03-01", 3, 1);
        awaitAnswer("", "{\"month\": \"2028-03\", \"days\": [1], \"streak\": 3}");
        clock.set("2028-03-02T04:00:00Z");
        awaitAnswer("", "{\"month\": \"2028-03\", \"days\": [1], \"streak\": 3}");
        clock.set("2028-03-03T04:00:00Z");
        awaitAnswer("", "{\"month\": \"2028-03\", \"days\": [1], \"streak\": 0}");
        awaitAnswer("?month=2028-02", "{\"month\": \"2028-02\", \"days\": [28, 29], \"streak\": 2}");
        awaitAnswer("?month=2028-04", "{\"month\": \"2028-04\", \"days\": [], \"streak\": 0}");
    }

    @Test
    @DisplayName("A month whose last day was missed has no streak at its end.")
    void missedLast() {
        signed("2026-10-30", 4, 1);
        awaitAnswer("?month=2026-10", "{\"month\": \"2026-10\", \"days\": [30], \"streak\": 0}");
    }

    @ParameterizedTest
    @CsvSource({"?month=2026-13", "?month=november", "?month=0000-01", "?zone=Europe/Atlantis"})
    @DisplayName("A month or a zone that there is not is refused.")
    void refused(String query) {
        assertThat(get(query)).hasStatus(HttpStatus.BAD_REQUEST);
    }
}
