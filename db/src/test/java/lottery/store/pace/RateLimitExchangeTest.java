package lottery.store.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.bucket4j.TimeMeter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import lottery.store.pace.RateLimitExchange.SharedUnits;
import lottery.store.pace.RateLimitExchange.TakenUnits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.data.redis.core.StringRedisTemplate;

@DisplayName("A rate limit of two processes with one Redis")
class RateLimitExchangeTest {

    private static final EmbeddedServers SERVERS = EmbeddedServers.start(EmbeddedSettings.forTests(
            Path.of(System.getProperty("lottery.servers", "target/servers") + "-of-limits"), EmbeddedServerKind.REDIS));
    private static final LettuceConnectionFactory CONNECTIONS = connections();
    private static final StringRedisTemplate REDIS = new StringRedisTemplate(CONNECTIONS);

    /** How long Redis keeps the units of a test: a slow machine needs seconds between two exchanges. */
    private static final Duration KEPT = Duration.ofMinutes(1);

    private static final Duration SOON = Duration.ofSeconds(15);

    private static final int PER_SECOND = 5;
    private static final int AT_ONCE = 10;
    private static final String LIMIT = "draws";

    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final LimitedNode here = new LimitedNode(stream());
    private final LimitedNode there = new LimitedNode(stream());

    private static LettuceConnectionFactory connections() {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(
                (RedisStandaloneConfiguration) LettuceConnectionFactory.createRedisConfiguration(
                        Objects.requireNonNull(SERVERS.properties().get("lottery.redis.url"))));
        connections.start();
        return connections;
    }

    private static RedisTakenUnitsStream stream() {
        return new RedisTakenUnitsStream(REDIS, KEPT);
    }

    @AfterAll
    static void disconnect() {
        CONNECTIONS.destroy();
    }

    @BeforeEach
    void forget() {
        REDIS.delete(RedisTakenUnitsStream.KEY);
    }

    /** A process with one limit. */
    private final class LimitedNode {

        private final CallerRateLimiter limiter = new CallerRateLimiter(PER_SECOND, new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return Duration.ofMillis(millis.get()).toNanos();
            }

            @Override
            public boolean isWallClockBased() {
                return false;
            }
        });
        private final RateLimitExchange exchange;

        private LimitedNode(SharedUnits shared) {
            exchange = new RateLimitExchange(shared);
            exchange.share(LIMIT, limiter);
        }

        private int taken(String caller, int asked) {
            return (int) IntStream.range(0, asked)
                    .filter(_ -> limiter.tryTake(caller))
                    .count();
        }
    }

    private void exchangeBoth() {
        here.exchange.exchange();
        there.exchange.exchange();
        here.exchange.exchange();
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    @Test
    @DisplayName("counts in each process what a caller has taken in the other one.")
    void together() {
        assertThat(here.taken("ann", 20)).isEqualTo(AT_ONCE);
        exchangeBoth();
        assertThat(there.taken("ann", 20)).isZero();
        assertThat(there.taken("ben", 20)).isEqualTo(AT_ONCE);
        pass(Duration.ofSeconds(1));
        assertThat(there.taken("ann", 20)).isEqualTo(PER_SECOND);
    }

    @Test
    @DisplayName("lets a caller on both have little more in ten seconds than on one.")
    void tenSeconds() {
        int taken = 0;
        for (int second = 0; second < 10; second++) {
            taken += here.taken("ann", 20) + there.taken("ann", 20);
            exchangeBoth();
            pass(Duration.ofSeconds(1));
        }
        int alone = AT_ONCE + 9 * PER_SECOND;
        assertThat(taken).isBetween(alone, alone + AT_ONCE + PER_SECOND);
    }

    @Test
    @DisplayName("holds a caller up for some seconds, however many processes gave him units before they knew.")
    void manyProcesses() {
        List<LimitedNode> nodes =
                IntStream.range(0, 8).mapToObj(_ -> new LimitedNode(stream())).toList();
        nodes.forEach(node -> node.taken("ann", 20));
        nodes.forEach(node -> node.exchange.exchange());
        nodes.forEach(node -> node.exchange.exchange());
        pass(Duration.ofMillis(3_900));
        assertThat(nodes).allMatch(node -> node.taken("ann", 1) == 0);
        pass(Duration.ofMillis(400));
        assertThat(nodes).allMatch(node -> node.taken("ann", 1) == 1);
    }

    @Test
    @DisplayName("tells first of those who took most, and of five hundred callers at once.")
    void mostFirst() {
        IntStream.range(0, 1_000).forEach(i -> here.taken("user-" + i, 2));
        here.taken("flooder", 20);
        exchangeBoth();
        assertThat(there.taken("flooder", 20)).isZero();
        assertThat(IntStream.range(0, 1_000)
                        .filter(i -> there.taken("user-" + i, 20) < AT_ONCE)
                        .count())
                .isEqualTo(499);
    }

    @Test
    @DisplayName("counts units once, however often the processes exchange them.")
    void once() {
        assertThat(here.taken("ann", 4)).isEqualTo(4);
        exchangeBoth();
        exchangeBoth();
        assertThat(there.taken("ann", 20)).isEqualTo(AT_ONCE - 4);
        assertThat(here.taken("ann", 20)).isEqualTo(AT_ONCE - 4);
    }

    @Test
    @DisplayName("counts what one command has spent at once.")
    void spentAtOnce() {
        here.limiter.take("ann", 20);
        exchangeBoth();
        pass(Duration.ofSeconds(2));
        assertThat(there.taken("ann", 1)).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(there.taken("ann", 20)).isEqualTo(PER_SECOND);
    }

    @Test
    @DisplayName("tells nobody of a caller who is far below the rate.")
    void slow() {
        assertThat(here.taken("ann", 1)).isEqualTo(1);
        exchangeBoth();
        assertThat(REDIS.hasKey(RedisTakenUnitsStream.KEY)).isFalse();
        assertThat(there.taken("ann", 20)).isEqualTo(AT_ONCE);
    }

    @Test
    @DisplayName("keeps other limits apart, takes any name of a caller, and forgets after seconds.")
    void told() {
        SharedUnits one = stream();
        SharedUnits other = stream();
        List<TakenUnits> units = List.of(
                new TakenUnits("address", "2001:db8::1", 7),
                new TakenUnits("player", "process", 1),
                new TakenUnits("player", "a \n:\u4e2d", 2));
        assertThat(one.exchange(units)).isEmpty();
        assertThat(other.exchange(List.of())).containsExactlyElementsOf(units);
        assertThat(other.exchange(List.of())).isEmpty();
        SharedUnits usual = new RedisTakenUnitsStream(REDIS);
        await().atMost(SOON).untilAsserted(() -> {
            usual.exchange(units);
            assertThat(REDIS.getExpire(RedisTakenUnitsStream.KEY, TimeUnit.MILLISECONDS))
                    .isBetween(1L, 3_000L);
        });
    }

    @Test
    @DisplayName("goes on after Redis was flushed, and takes a thousand callers at once.")
    void flushed() {
        SharedUnits one = stream();
        SharedUnits other = stream();
        List<TakenUnits> many = IntStream.range(0, 2_000)
                .mapToObj(i -> new TakenUnits(LIMIT, "user-" + i, 5))
                .toList();
        one.exchange(many);
        assertThat(other.exchange(List.of())).hasSameSizeAs(many);
        REDIS.delete(RedisTakenUnitsStream.KEY);
        one.exchange(many.subList(0, 1));
        assertThat(other.exchange(List.of())).isEqualTo(many.subList(0, 1));
    }

    @Test
    @DisplayName("goes on with a Redis whose clock has gone back, and keeps only the last seconds there, too.")
    void clockOfRedis() {
        SharedUnits one = stream();
        SharedUnits other = stream();
        List<TakenUnits> units = List.of(new TakenUnits(LIMIT, "ann", 5));
        one.exchange(units);
        other.exchange(List.of());
        // As if the clock had been an hour ahead until now: the newest entry is from then.
        long ahead = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        for (int i = 0; i < 5; i++) {
            REDIS.opsForStream()
                    .add(StreamRecords.string(Map.of("process", "third"))
                            .withStreamKey(RedisTakenUnitsStream.KEY)
                            .withId(RecordId.of(ahead + 2_000L * i, 0)));
        }
        one.exchange(units);
        assertThat(REDIS.opsForStream().size(RedisTakenUnitsStream.KEY))
                .as("what is from the future would never be trimmed")
                .isEqualTo(1);
        assertThat(other.exchange(List.of())).isEqualTo(units);
        REDIS.delete(RedisTakenUnitsStream.KEY);
        one.exchange(units);
        assertThat(other.exchange(List.of())).isEqualTo(units);
    }

    @Test
    @DisplayName("is one for each process while Redis is away.")
    void away() {
        LimitedNode alone = new LimitedNode(_ -> {
            throw new IllegalStateException("away");
        });
        assertThat(alone.taken("ann", 20)).isEqualTo(AT_ONCE);
        alone.exchange.exchange();
        pass(Duration.ofSeconds(1));
        assertThat(alone.taken("ann", 20)).isEqualTo(PER_SECOND);
    }

    @Test
    @DisplayName("has a name of its own.")
    void twice() {
        assertThatThrownBy(() -> here.exchange.share(LIMIT, here.limiter)).hasMessageContaining(LIMIT);
    }
}
