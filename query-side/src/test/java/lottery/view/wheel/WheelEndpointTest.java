package lottery.view.wheel;

import static lottery.stage.Script.award;
import static lottery.stage.Script.perUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.api.award.UserWheel;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.stage.CallTime;
import lottery.stage.OnStage;
import lottery.stage.PatientRedis;
import lottery.stage.Script;
import lottery.stage.StageClock;
import lottery.stage.StageRedisLink;
import lottery.view.account.AccountReadModel;
import lottery.view.redis.RedisReadModelFactory;
import lottery.view.wheel.WheelReader.FindWheel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.json.JsonMapper;

@OnStage
@DisplayName("The wheel over REST")
class WheelEndpointTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    /** After an outage the processor tries again with growing pauses. */
    private static final Duration RECOVERED = Duration.ofSeconds(60);

    private static final UserId ANN = new UserId("ann");
    private static final String PULSE = "lottery:view-pulse";
    private static final String TODAY = "2026-03-31";
    private static final int OUTAGES = 3;

    /** Shorter than the wait for a Redis that does not answer. */
    private static final Duration WITHOUT_WAIT_MAX = Duration.ofMillis(100);

    private final MockMvcTester mvc;
    private final Script script;
    private final StageClock clock;
    private final WheelReader wheels;
    private final StringRedisTemplate redis;
    private final AccountReadModel accounts;
    private final StageRedisLink link;
    private final JdbcClient sql;

    private ActivityId activity = new ActivityId(1);
    private AccountId account = new AccountId(activity, ANN);

    @Autowired
    WheelEndpointTest(
            MockMvcTester mvc,
            Script script,
            StageClock clock,
            WheelReader wheels,
            PatientRedis redis,
            AccountReadModel accounts,
            StageRedisLink link,
            JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.clock = clock;
        this.wheels = wheels;
        this.redis = redis.template();
        this.accounts = accounts;
        this.link = link;
        this.sql = sql;
    }

    @BeforeEach
    void twoDraws() {
        clock.set("2026-03-31T04:00:00Z");
        activity = script.activity(award(101, 2, 0), award(102, 1, 5));
        account = new AccountId(activity, ANN);
        script.recharged(account, 20, 20, 20);
        script.spent(account, TODAY);
        script.spent(account, TODAY);
        await().atMost(RECOVERED).until(() -> redis.hasKey(PULSE));
        awaitDrawsToUnlock(3);
    }

    @AfterEach
    void mend() {
        link.mend();
    }

    @Test
    @DisplayName("The wheel has all awards in their order, with all fields, and unlocks them draw by draw.")
    void contract() {
        assertThat(mvc.get().uri(uri()).exchange()).bodyJson().isStrictlyEqualTo("""
                [{"awardId": 102, "title": "Award 102", "subtitle": null, "sort": 1, "type": "TEXT",
                  "lockedUntilDraws": 5, "unlocked": false, "drawsToUnlock": 3, "soldOut": false,
                  "held": false, "maxPerUser": null, "reached": false},
                 {"awardId": 101, "title": "Award 101", "subtitle": null, "sort": 2, "type": "TEXT",
                  "lockedUntilDraws": 0, "unlocked": true, "drawsToUnlock": 0, "soldOut": false,
                  "held": false, "maxPerUser": null, "reached": false}]""");

        script.spent(account, TODAY);
        script.spent(account, TODAY);
        awaitDrawsToUnlock(1);
        script.spent(account, TODAY);
        awaitDrawsToUnlock(0);
        assertThat(fieldOf(102).unlocked()).isTrue();
    }

    @Test
    @DisplayName("An award that the user has won as often as one user can is reached, for this user alone.")
    void reached() {
        activity = script.activity(award(101, 2, 0), perUser(award(102, 1, 0), 2));
        account = new AccountId(activity, ANN);
        script.limitedAwardWon(account, 102);
        script.limitedAwardWon(account, 102);
        await().atMost(RECOVERED).until(() -> fieldOf(102).reached());
        assertThat(fieldOf(102).maxPerUser()).isEqualTo(2);
        assertThat(fieldOf(101).reached()).isFalse();
        assertThat(mvc.get().uri(uri() + "&after=1").exchange()).bodyText().contains("\"reached\":true");
        assertThat(mvc.get().uri(uri().replace(ANN.value(), "somebody")).exchange())
                .bodyText()
                .doesNotContain("\"reached\":true");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 5, 6})
    @DisplayName(
            "The wheel from memory equals the one from the rows, character by character, and its ETag changes with it.")
    void alike(int more) throws Exception {
        for (int i = 0; i < more; i++) {
            script.spent(account, TODAY);
        }
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2 + more, 2 + more));
        MvcTestResult rows = mvc.get().uri(uri() + "&after=1").exchange();
        MvcTestResult memory = mvc.get().uri(uri()).exchange();

        assertThat(memory.getResponse().getContentAsString())
                .isEqualTo(rows.getResponse().getContentAsString())
                .contains("\"drawsToUnlock\":" + Math.max(0, 3 - more));
        String tag = String.valueOf(memory.getResponse().getHeader("ETag"));
        assertThat(rows.getResponse().getHeader("ETag")).isEqualTo(tag);
        assertThat(mvc.get().uri(uri()).header("If-None-Match", tag).exchange()).hasStatus(HttpStatus.NOT_MODIFIED);
        script.spent(account, TODAY);
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 3 + more, 3 + more));
        assertThat(mvc.get().uri(uri()).header("If-None-Match", tag).exchange())
                .hasStatus(more < 3 ? HttpStatus.OK : HttpStatus.NOT_MODIFIED);
    }

    @Test
    @DisplayName("Unusual requests get the same answer, and invalid ones are refused.")
    void outOfTheOrdinary() throws Exception {
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
        String usual = text(uri());

        assertThat(text(uri() + "&unknown=1")).isEqualTo(usual);
        assertThat(text("/api/v1/activities/0" + activity.value() + "/awards?userId=ann"))
                .isEqualTo(usual);
        assertThat(mvc.get().uri(uri()).header("Accept", "application/xml").exchange())
                .hasStatus(HttpStatus.NOT_ACCEPTABLE);
        assertThat(mvc.get()
                        .uri("/api/v1/activities/{id}/awards", activity.value())
                        .exchange())
                .hasStatus(HttpStatus.BAD_REQUEST);
        assertThat(mvc.post().uri(uri()).exchange()).hasStatus(HttpStatus.METHOD_NOT_ALLOWED);
        assertThat(mvc.get().uri(uri()).header("If-None-Match", "\"other\"").exchange())
                .hasStatus(HttpStatus.OK);
    }

    @Test
    @DisplayName("The wheel follows a revision and never goes back, and a replay repairs it.")
    void revised() throws Exception {
        StrategyId strategyId = strategyOf(activity);
        script.happens(
                strategyId,
                new StrategyRevised(
                        strategyId,
                        2,
                        StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(award(103, 1, 0)), null)));
        await().atMost(SOON).until(() -> ids(uri()).equals(List.of(103)));

        sql.sql("UPDATE view_award SET version = 1, title = 'Old' WHERE strategy_id = ?")
                .param(strategyId.value())
                .update();

        await().atMost(SOON)
                .during(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(text(uri())).contains("Award 103"));
        assertThat(text(uri() + "&after=1")).contains("Old");

        assertThat(mvc.post().uri("/api/v1/ops/projections/wheel/replay").exchange())
                .hasStatus(HttpStatus.ACCEPTED);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(text(uri() + "&after=1")).doesNotContain("Old"));
        assertThat(ids(uri() + "&after=1")).containsExactly(103);
    }

    @Test
    @DisplayName("The wheel shows the version that was passed, until another one is adopted, even an older one.")
    void approved() throws Exception {
        StrategyId strategyId = strategyOf(activity);
        List<Integer> first = ids(uri());
        script.happens(activity, new ActivityPassed(activity, 1, "hash of 1"));
        script.happens(
                strategyId,
                new StrategyRevised(
                        strategyId,
                        2,
                        StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(award(103, 1, 0)), null)));
        await().atMost(SOON)
                .until(() -> sql.sql("SELECT count(*) FROM view_award WHERE strategy_id = ? AND version = 2")
                                .param(strategyId.value())
                                .query(Integer.class)
                                .single()
                        == 1);
        await().during(Duration.ofSeconds(2))
                .atMost(SOON)
                .untilAsserted(() -> assertThat(ids(uri())).isEqualTo(first));

        script.happens(activity, new StrategyAdopted(activity, 2, "hash of 2", null));
        await().atMost(SOON).until(() -> ids(uri()).equals(List.of(103)));
        assertThat(ids(uri() + "&after=1")).containsExactly(103);

        script.happens(activity, new StrategyAdopted(activity, 1, "hash of 1", null));
        await().atMost(SOON).until(() -> ids(uri()).equals(first));
        assertThat(ids(uri() + "&after=1")).isEqualTo(first);
    }

    @Test
    @DisplayName("A drawn order opens a lock; a chance that is spent on an order or returned does not.")
    void openOrder() {
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
        RaffleOrderId cancelled = script.opened(account, TODAY);
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 3));
        script.returned(account, cancelled, TODAY);
        RaffleOrderId drawn = script.opened(account, TODAY);
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 5));
        assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(3);

        script.used(account, drawn, TODAY);

        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 3, 6));
        assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(2);
        // The row in PostgreSQL has the same value.
        redis.delete(key());
        awaitDrawsToUnlock(2);
    }

    @Test
    @DisplayName("An order counts on the day on which it is drawn, although its chance was spent the day before.")
    void drawnOnTheNextDay() {
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
        RaffleOrderId open = script.opened(account, TODAY);
        clock.set("2026-03-31T16:00:00Z");
        script.used(account, open, "2026-04-01");

        CachedDraws tomorrow = new CachedDraws(LocalDate.parse("2026-04-01"), 1, 4);
        awaitCount(tomorrow);
        assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(4);

        script.replay("accounts");
        script.replay(RedisReadModelFactory.GROUP);
        assertThat(known()).contains(tomorrow);
        redis.delete(key());
        assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(4);
    }

    @Test
    @DisplayName("The wheel is locked again on a new day.")
    void newDay() {
        clock.set("2026-03-31T16:00:00Z");

        assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(5);
    }

    @Test
    @DisplayName("The wheel of an activity that does not exist is refused.")
    void unknownActivity() {
        assertThat(mvc.get().uri("/api/v1/activities/987654/awards?userId=ann").exchange())
                .hasStatus(HttpStatus.NOT_FOUND)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'NOT_FOUND', 'subject': 'activity:987654'}");
    }

    @Test
    @DisplayName("The wheel is the same when every event is delivered again.")
    void replay() {
        awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));

        script.replay("wheel");
        script.replay("accounts");
        script.replay(RedisReadModelFactory.GROUP);

        assertThat(known()).contains(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
        assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(3);
    }

    @Nested
    @DisplayName("The count of draws in Redis")
    class Redis {

        @Test
        @DisplayName("If Redis has the count, the wheel uses it.")
        void remembered() {
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
            String value = String.valueOf(redis.opsForHash().get(key(), "value"));
            redis.opsForHash().put(key(), "value", value.replace("\"dayDraws\":2", "\"dayDraws\":4"));

            awaitDrawsToUnlock(1);
            assertThat(redis.getExpire(key())).isBetween(1L, 600L);
        }

        @Test
        @DisplayName("The count in Redis follows each event.")
        void follows() {
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));

            script.recharged(account, 1, 1, 1);
            script.spent(account, TODAY);
            // Nobody asks meanwhile: the projection has written the value.
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(known()).contains(new CachedDraws(LocalDate.parse(TODAY), 3, 4)));

            script.spent(account, "2026-04-01");
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(known()).contains(new CachedDraws(LocalDate.parse("2026-04-01"), 1, 5)));
        }

        @Test
        @DisplayName("If Redis has lost its memory, the wheel is right at once, and the count is stored again.")
        void flushed() {
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));

            redis.execute((RedisCallback<Boolean>) connection -> {
                connection.serverCommands().flushAll();
                return true;
            });

            assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(3);
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
            script.spent(account, TODAY);
            awaitDrawsToUnlock(2);
        }

        @ParameterizedTest
        @ValueSource(strings = {"string", "list", "text", "half"})
        @DisplayName("If the key has another type, the wheel is right at once, and the count is stored again.")
        void wrongType(String kind) {
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
            String key = key();
            switch (kind) {
                case "string" -> redis.opsForValue().set(key, "wrong");
                case "list" -> {
                    redis.delete(key);
                    redis.opsForList().leftPush(key, "wrong");
                }
                case "text" -> redis.opsForHash().put(key, "value", "many");
                default -> redis.opsForHash().delete(key, "version");
            }

            assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(3);
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
            redis.opsForHash().delete(key, "version");
            script.spent(account, TODAY);
            awaitDrawsToUnlock(2);
            redis.opsForValue().set(key, "wrong");
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 3, 3));
        }

        @Test
        @DisplayName("If Redis comes back with an old count, the wheel never shows it.")
        void cut() {
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));

            link.cut();
            assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(3);
            script.spent(account, TODAY);
            awaitDrawsToUnlock(2);
            // This takes longer than the heartbeat lives, so that Redis comes back without it.
            await().atMost(SOON)
                    .during(Duration.ofSeconds(3))
                    .untilAsserted(
                            () -> assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(2));
            link.mend();

            await().atMost(RECOVERED)
                    .ignoreExceptionsInstanceOf(DataAccessException.class)
                    .until(() -> {
                        assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(2);
                        return known().equals(Optional.of(new CachedDraws(LocalDate.parse(TODAY), 3, 3)));
                    });
            await().atMost(RECOVERED).until(() -> redis.hasKey(PULSE));
            assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(2);
        }

        @Test
        @DisplayName("If Redis does not answer, the wheel is right in less than a second, and later without a wait.")
        void slow() {
            Runnable read = () -> assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(3);
            assertThat(CallTime.fastest(OUTAGES, this::fallsSilent, read)).isLessThan(Duration.ofSeconds(1));

            assertThat(CallTime.median(10, read)).isLessThan(WITHOUT_WAIT_MAX);
        }

        private void fallsSilent() {
            link.mend();
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
            link.swallow();
        }

        @Test
        @DisplayName("If the account's row is behind, its old count is not stored in Redis.")
        void rowBehind() {
            awaitCount(new CachedDraws(LocalDate.parse(TODAY), 2, 2));
            script.stop("accounts");
            try {
                script.spent(account, TODAY);
                await().atMost(SOON)
                        .untilAsserted(
                                () -> assertThat(known()).contains(new CachedDraws(LocalDate.parse(TODAY), 3, 3)));
                redis.delete(key());

                assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(3);
                assertThat(known()).isEmpty();
            } finally {
                script.start("accounts");
            }
            awaitDrawsToUnlock(2);
        }
    }

    /** The value in Redis, and its version. */
    private record CachedDraws(@Nullable LocalDate day, int draws, long version) {}

    private Optional<CachedDraws> known() {
        return accounts.knownDraws(account).map(draws -> new CachedDraws(draws.day(), draws.draws(), version()));
    }

    private long version() {
        return Long.parseLong(String.valueOf(redis.opsForHash().get(key(), "version")));
    }

    private String key() {
        return "lottery:view:" + account.text();
    }

    private void awaitDrawsToUnlock(int draws) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(fieldOf(102).drawsToUnlock()).isEqualTo(draws));
    }

    /** Asks until the value is in Redis. */
    private void awaitCount(CachedDraws count) {
        await().atMost(RECOVERED)
                .ignoreExceptionsInstanceOf(DataAccessException.class)
                .untilAsserted(() -> {
                    fieldOf(102);
                    assertThat(known()).isEqualTo(Optional.of(count));
                });
    }

    private UserWheel.WheelAward fieldOf(int awardId) {
        return wheels.answer(new FindWheel(account)).stream()
                .flatMap(wheel -> wheel.fields().stream())
                .filter(field -> field.awardId() == awardId)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no award " + awardId));
    }

    private String uri() {
        return "/api/v1/activities/" + activity.value() + "/awards?userId=" + ANN;
    }

    private StrategyId strategyOf(ActivityId activityId) {
        return new StrategyId(sql.sql("SELECT strategy_id FROM view_activity WHERE activity_id = ?")
                .param(activityId.value())
                .query(Long.class)
                .single());
    }

    private String text(String uri) throws Exception {
        return mvc.get().uri(uri).exchange().getResponse().getContentAsString();
    }

    private List<Integer> ids(String uri) throws Exception {
        return new JsonMapper()
                .readTree(text(uri))
                .valueStream()
                .map(field -> field.get("awardId").asInt())
                .toList();
    }
}
