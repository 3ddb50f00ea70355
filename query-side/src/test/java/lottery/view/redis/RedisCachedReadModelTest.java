package lottery.view.redis;

import static lottery.stage.Script.award;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyId;
import lottery.stage.CallTime;
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.PatientRedis;
import lottery.stage.Script;
import lottery.stage.StageClock;
import lottery.stage.StageRedisLink;
import lottery.stage.StageStatements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@OnStage
@DisplayName("Quotas from Redis first")
class RedisCachedReadModelTest {

    /** An aggregate of the only log. */
    private static final ActivityId ANY = new ActivityId(1);

    private static final Duration SOON = Duration.ofSeconds(15);

    /** After an outage the processor tries again with growing pauses. */
    private static final Duration RECOVERED = Duration.ofSeconds(60);

    private static final String TODAY = "2026-03-31";
    private static final int OUTAGES = 3;

    /** Shorter than the wait for a Redis that does not answer. */
    private static final Duration WITHOUT_WAIT_MAX = Duration.ofMillis(100);

    private final MockMvcTester mvc;
    private final Script script;
    private final StageClock clock;
    private final StageStatements statements;
    private final StringRedisTemplate redis;
    private final RedisFreshness freshness;
    private final StageRedisLink link;
    private final JdbcClient sql;
    private final DataSource database;
    private final JsonMapper json = new JsonMapper();

    private ActivityId activity = new ActivityId(1);
    private Player ann = new Player("ann");

    @Autowired
    RedisCachedReadModelTest(
            MockMvcTester mvc,
            Script script,
            StageClock clock,
            StageStatements statements,
            PatientRedis redis,
            RedisFreshness freshness,
            StageRedisLink link,
            JdbcClient sql,
            DataSource database) {
        this.mvc = mvc;
        this.script = script;
        this.clock = clock;
        this.statements = statements;
        this.redis = redis.template();
        this.freshness = freshness;
        this.link = link;
        this.sql = sql;
        this.database = database;
    }

    /** The quotas in an answer, or by the events. */
    private record Quotas(int given, int used, int today) {}

    /** A user and the events about that user. */
    private final class Player {

        private final AccountId id;
        private final Deque<RaffleOrderId> orders = new ArrayDeque<>();
        private int given;
        private int used;

        Player(String user) {
            id = new AccountId(activity, new UserId(user));
        }

        String key() {
            return RedisCachedReadModel.key(id);
        }

        void recharge() {
            script.recharged(id, 10, 10, 10);
            given += 10;
        }

        void spend() {
            orders.push(script.spent(id, TODAY));
            used++;
        }

        void giveBack() {
            if (!orders.isEmpty()) {
                script.returned(id, orders.pop(), TODAY);
                used--;
            }
        }

        Quotas fold() {
            return new Quotas(given, used, used);
        }

        String uri() {
            return "/api/v1/activities/%d/accounts/%s".formatted(activity.value(), id.userId());
        }
    }

    @BeforeEach
    void open() {
        clock.set("2026-03-31T04:00:00Z");
        activity = script.activity(award(101, 1, 0));
        ann = new Player("ann");
        ann.recharge();
        ann.spend();
        await().atMost(RECOVERED).until(() -> freshness.isFresh(ANY));
        awaitInRedis(ann);
    }

    @AfterEach
    void mend() {
        link.mend();
    }

    @Test
    @DisplayName("A read from Redis takes no statement of PostgreSQL.")
    void first() {
        assertThat(statements.during(RedisCachedReadModelTest::isOfQuotas, () -> read(ann, "?after=1")))
                .as("PostgreSQL is seen")
                .hasSize(2);

        // On a busy machine Redis may once be too slow, so that PostgreSQL answers.
        await().atMost(RECOVERED)
                .untilAsserted(() -> assertThat(statements.during(
                                RedisCachedReadModelTest::isOfQuotas,
                                () -> IntStream.range(0, 100)
                                        .forEach(_ -> assertThat(read(ann, "")).isEqualTo(ann.fold()))))
                        .isEmpty());
    }

    @Test
    @DisplayName("PostgreSQL answers a caller that has waited for a position.")
    void after() {
        String value = String.valueOf(redis.opsForHash().get(ann.key(), "value"));
        redis.opsForHash().put(ann.key(), "value", value.replace("\"totalUsed\":1", "\"totalUsed\":7"));
        await("Redis answers").atMost(SOON).until(() -> read(ann, "").used() == 7);

        assertThat(read(ann, "?after=1")).isEqualTo(ann.fold());

        ann.spend();
        assertThat(read(ann, "?after=" + head())).isEqualTo(ann.fold());
    }

    @Test
    @DisplayName("The value follows each event, although nobody asks meanwhile.")
    void follows() {
        for (int i = 0; i < 5; i++) {
            ann.spend();
        }
        ann.giveBack();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                String.valueOf(redis.opsForHash().get(ann.key(), "version")))
                        .isEqualTo("7"));
        awaitInRedis(ann);
    }

    @Test
    @DisplayName("The day follows the zone of an activity that was moved.")
    void moved() {
        clock.set("2026-03-31T20:00:00Z");
        assertThat(dayOf(ann)).isEqualTo("2026-04-01");

        script.happens(activity, new ActivityEdited(activity, Script.definition(new StrategyId(1), ZoneOffset.UTC)));

        await().atMost(SOON).untilAsserted(() -> assertThat(dayOf(ann)).isEqualTo("2026-03-31"));
        awaitInRedis(ann);
        assertThat(dayOf(ann)).isEqualTo("2026-03-31");
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "list", "text", "null", "other fields", "no number", "no account", "no version"})
    @DisplayName("A key of another type does not change the answer, and Redis is still used.")
    void lies(String kind) {
        for (String key : List.of(ann.key(), RedisCachedReadModel.key(activity))) {
            lie(kind, key);

            assertThat(read(ann, "")).isEqualTo(ann.fold());
            // A check that takes more than 50 ms stops it for a moment, as on a busy machine.
            await().atMost(SOON).until(() -> freshness.isFresh(ANY));
            awaitInRedis(ann);
            lie(kind, key);
            ann.spend();
            await().atMost(SOON).untilAsserted(() -> assertThat(read(ann, "")).isEqualTo(ann.fold()));
            awaitInRedis(ann);
        }
        assertThat(parked()).isZero();
    }

    private void lie(String kind, String key) {
        switch (kind) {
            case "string" -> redis.opsForValue().set(key, "wrong");
            case "list" -> {
                redis.delete(key);
                redis.opsForList().leftPush(key, "wrong");
            }
            case "text" -> redis.opsForHash().put(key, "value", "many");
            case "null" -> redis.opsForHash().put(key, "value", "null");
            case "other fields" -> redis.opsForHash().put(key, "value", "{\"chances\":3}");
            case "no account" ->
                redis.opsForHash().put(key, "value", "{\"chances\":null,\"orders\":null,\"version\":1}");
            case "no number" -> redis.opsForHash().put(key, "version", "7.5");
            default -> redis.opsForHash().delete(key, "version");
        }
    }

    @Test
    @DisplayName("The answer is right if Redis does not answer, and nobody waits for it twice.")
    void silent() {
        Runnable read = () -> assertThat(read(ann, "")).isEqualTo(ann.fold());
        assertThat(CallTime.fastest(OUTAGES, this::redisFallsSilent, read)).isLessThan(Duration.ofSeconds(1));
        assertThat(freshness.isFresh(ANY)).isFalse();

        assertThat(CallTime.median(10, read)).isLessThan(WITHOUT_WAIT_MAX);
    }

    private void redisFallsSilent() {
        link.mend();
        await().atMost(RECOVERED).until(() -> freshness.isFresh(ANY));
        awaitInRedis(ann);
        link.swallow();
    }

    @Test
    @DisplayName("After an outage an old value of Redis is never shown.")
    void awayAndBack() {
        link.cut();
        ann.spend();
        await().atMost(SOON).untilAsserted(() -> assertThat(read(ann, "")).isEqualTo(ann.fold()));
        // This takes longer than the heartbeat lives, so that Redis comes back without it.
        await().atMost(SOON)
                .during(Duration.ofSeconds(3))
                .untilAsserted(() -> assertThat(read(ann, "")).isEqualTo(ann.fold()));
        link.mend();

        await().atMost(RECOVERED).until(() -> {
            assertThat(read(ann, "")).isEqualTo(ann.fold());
            return freshness.isFresh(ANY);
        });
        assertThat(read(ann, "")).isEqualTo(ann.fold());
        awaitInRedis(ann);
    }

    @Test
    @DisplayName("The answer is right soon after the processor for Redis has stopped, although nothing has failed.")
    void standsStill() throws SQLException {
        Player bob = new Player("bob");
        try (Connection other = database.getConnection()) {
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
                statement.execute("SELECT * FROM token WHERE processor = 'redis' FOR UPDATE");
                bob.recharge();
                // Otherwise one batch may have both events, and write to Redis before it stores its token.
                await().atMost(SOON).until(this::waitsForToken);
                ann.spend();
                await().atMost(SOON.dividedBy(2))
                        .untilAsserted(() -> assertThat(read(ann, "")).isEqualTo(ann.fold()));
                assertThat(freshness.isFresh(ANY)).isFalse();
            } finally {
                other.rollback();
            }
        }

        await().atMost(RECOVERED).until(() -> freshness.isFresh(ANY));
        assertThat(read(ann, "")).isEqualTo(ann.fold());
        awaitInRedis(ann);
    }

    @Test
    @DisplayName("The answer is right while Redis is full, and no event is parked for that.")
    void full() {
        configure("maxmemory", "1");
        try {
            ann.spend();
            await().atMost(SOON).until(() -> !freshness.isFresh(ANY));
            await().atMost(SOON)
                    .during(Duration.ofSeconds(3))
                    .untilAsserted(
                            () -> assertThat(read(ann, "?after=" + head())).isEqualTo(ann.fold()));
            assertThat(parked()).isZero();
        } finally {
            configure("maxmemory", "0");
        }

        await().atMost(RECOVERED).until(() -> freshness.isFresh(ANY));
        assertThat(read(ann, "")).isEqualTo(ann.fold());
        awaitInRedis(ann);
        assertThat(parked()).isZero();
    }

    @Test
    @DisplayName("A read model in PostgreSQL that is built anew does not make the value older.")
    void rebuilt() throws Exception {
        ann.spend();
        awaitInRedis(ann);
        String before = String.valueOf(redis.opsForHash().entries(ann.key()));

        assertThat(mvc.post().uri("/api/v1/ops/projections/accounts/replay").exchange())
                .hasStatus(HttpStatus.ACCEPTED);
        await().atMost(RECOVERED)
                .until(() -> sql.sql("SELECT count(*) FROM replay WHERE processor = 'accounts'")
                                .query(Long.class)
                                .single()
                        == 0);

        assertThat(String.valueOf(redis.opsForHash().entries(ann.key()))).isEqualTo(before);
        assertThat(read(ann, "")).isEqualTo(ann.fold());
    }

    static LongStream seed() {
        return LongStream.of(Long.getLong("seed", new Random().nextLong()));
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seed")
    @DisplayName("The answers are the fold of the events, whatever happens to Redis while they are read.")
    void property(long seed) throws Exception {
        Random random = new Random(seed);
        List<Player> players = new ArrayList<>(List.of(ann, new Player("bob"), new Player("cat")));
        AtomicBoolean over = new AtomicBoolean();
        List<Future<Integer>> readers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                players.forEach(player -> readers.add(threads.submit(() -> readUntil(over, player))));
                for (int step = 0; step < 80; step++) {
                    Player player = players.get(random.nextInt(players.size()));
                    happens(random.nextInt(20), player);
                    assertThat(read(player, "?after=" + head()))
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(player.fold());
                }
            } finally {
                over.set(true);
            }
        }
        for (Future<Integer> reader : readers) {
            assertThat(reader.get(1, TimeUnit.SECONDS)).isPositive();
        }

        await().atMost(RECOVERED).until(() -> freshness.isFresh(ANY));
        players.forEach(this::awaitInRedis);
        assertThat(parked()).isZero();
    }

    private int readUntil(AtomicBoolean over, Player player) {
        int reads = 0;
        while (!over.get()) {
            read(player, "");
            reads++;
        }
        return reads;
    }

    private void happens(int what, Player player) {
        switch (what) {
            case 0 -> flush();
            case 1 -> redis.delete(player.key());
            case 2 -> redis.delete(RedisCachedReadModel.key(activity));
            case 3 -> redis.opsForValue().set(player.key(), "wrong");
            case 4 -> {
                script.stop("accounts");
                player.spend();
                redis.delete(player.key());
                read(player, "");
                script.start("accounts");
            }
            case 5 -> {
                script.stop(RedisReadModelFactory.GROUP);
                player.spend();
                flush();
                read(player, "");
                script.start(RedisReadModelFactory.GROUP);
            }
            case 6 -> script.replay(RedisReadModelFactory.GROUP);
            case 7, 8, 9 -> player.recharge();
            case 10, 11, 12 -> player.giveBack();
            default -> player.spend();
        }
    }

    private void flush() {
        redis.execute((RedisCallback<Boolean>) connection -> {
            connection.serverCommands().flushAll();
            return true;
        });
    }

    private void configure(String name, String value) {
        redis.execute((RedisCallback<Boolean>) connection -> {
            connection.serverCommands().setConfig(name, value);
            return true;
        });
    }

    /** Asks until Redis answers with the values of the events. */
    private void awaitInRedis(Player player) {
        await().atMost(RECOVERED)
                .untilAsserted(() -> assertThat(statements.during(
                                RedisCachedReadModelTest::isOfQuotas,
                                () -> assertThat(read(player, "")).isEqualTo(player.fold())))
                        .isEmpty());
    }

    private static boolean isOfQuotas(String sql) {
        return sql.contains("view_account")
                || (sql.contains("FROM view_activity WHERE activity_id = ?") && !sql.contains("EXISTS"));
    }

    private Quotas read(Player player, String more) {
        JsonNode answer = get(player, more);
        return new Quotas(
                answer.at("/total/count").asInt(),
                answer.at("/total/used").asInt(),
                answer.at("/day/used").asInt());
    }

    private String dayOf(Player player) {
        return get(player, "").at("/day/day").asString();
    }

    private JsonNode get(Player player, String more) {
        String uri = player.uri() + more;
        MvcTestResult answer = more.isEmpty() ? mvc.get().uri(uri).exchange() : PatientReader.read(mvc, uri);
        assertThat(answer).hasStatusOk();
        try {
            return json.readTree(answer.getResponse().getContentAsByteArray());
        } catch (RuntimeException e) {
            throw new AssertionError("no JSON", e);
        }
    }

    private long head() {
        return sql.sql("SELECT position FROM event_head").query(Long.class).single();
    }

    private boolean waitsForToken() {
        return sql.sql("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%token%'
                        """).query(Long.class).single() > 0;
    }

    private long parked() {
        return sql.sql("SELECT count(*) FROM parked_event WHERE processor = 'redis'")
                .query(Long.class)
                .single();
    }
}
