package lottery.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

@DisplayName("A rate limit of all processes with one Redis")
class SharedBucketsTest {

    private static final EmbeddedServers SERVERS = EmbeddedServers.start(EmbeddedSettings.forTests(
            Path.of(System.getProperty("lottery.servers", "target/servers") + "-of-limits"), EmbeddedServerKind.REDIS));
    private static final LettuceConnectionFactory CONNECTIONS =
            connections((RedisStandaloneConfiguration) LettuceConnectionFactory.createRedisConfiguration(
                    Objects.requireNonNull(SERVERS.properties().get("lottery.redis.url"))));
    private static final StringRedisTemplate REDIS = new StringRedisTemplate(CONNECTIONS);

    private static final int PER_SECOND = 5;
    private static final int AT_ONCE = 10;
    private static final int SECONDS = 10;

    /** The units that a caller gets from one process in ten seconds. */
    private static final int ALONE = AT_ONCE + (SECONDS - 1) * PER_SECOND;

    /** The units that a caller gets from a process before Redis knows of it. */
    private static final int UNTOLD = 3;

    private static final String LIMIT = "draws";

    /** Buckets of other tests are in the past of this clock. */
    private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());

    private final CallerRateLimiter here = limiter();
    private final CallerRateLimiter there = limiter();

    private static LettuceConnectionFactory connections(RedisStandaloneConfiguration server) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(server);
        connections.start();
        return connections;
    }

    @AfterAll
    static void disconnect() {
        CONNECTIONS.destroy();
    }

    @BeforeEach
    void forget() {
        Set<String> keys = REDIS.keys(SharedBuckets.KEY + "*");
        REDIS.delete(Objects.requireNonNull(keys));
    }

    private CallerRateLimiter limiter() {
        return limiter(PER_SECOND);
    }

    private CallerRateLimiter limiter(int perSecond) {
        return buckets(CONNECTIONS).limiter(LIMIT, perSecond);
    }

    /** Returns buckets that ask Redis at once. */
    private SharedBuckets buckets(LettuceConnectionFactory connections) {
        return new SharedBuckets(connections, clock(), Runnable::run);
    }

    private TimeMeter clock() {
        return new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return Duration.ofMillis(millis.get()).toNanos();
            }

            @Override
            public boolean isWallClockBased() {
                return true;
            }
        };
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    private static int taken(CallerRateLimiter limiter, String caller, int asked) {
        return (int)
                IntStream.range(0, asked).filter(_ -> limiter.tryTake(caller)).count();
    }

    /** Returns how many units a caller gets in ten seconds who asks all processes all the time. */
    private int takenInTenSeconds(List<CallerRateLimiter> processes) {
        int taken = 0;
        for (int tenth = 0; tenth < SECONDS * 10; tenth++) {
            for (CallerRateLimiter process : processes) {
                taken += taken(process, "ann", AT_ONCE);
            }
            pass(Duration.ofMillis(100));
        }
        return taken;
    }

    @Test
    @DisplayName("counts in each process what a caller has taken in the other one.")
    void together() {
        assertThat(taken(here, "ann", 20)).isEqualTo(AT_ONCE);
        assertThat(taken(there, "ann", 20)).isLessThanOrEqualTo(UNTOLD + 2);
        assertThat(taken(there, "ben", 20)).isEqualTo(AT_ONCE);
        pass(Duration.ofSeconds(3));
        assertThat(taken(there, "ann", 20)).isBetween(PER_SECOND, AT_ONCE);
    }

    @Test
    @DisplayName("gives a caller on one process as much as a limit of this process alone.")
    void onOne() {
        assertThat(takenInTenSeconds(List.of(here))).isBetween(ALONE + PER_SECOND - 2, ALONE + PER_SECOND);
    }

    @Test
    @DisplayName("gives a caller on two processes little more in ten seconds than on one.")
    void onTwo() {
        assertThat(takenInTenSeconds(List.of(here, there))).isBetween(ALONE, ALONE + PER_SECOND + 2 * UNTOLD);
    }

    @Test
    @DisplayName("gives a caller on four processes little more in ten seconds than on one.")
    void onFour() {
        List<CallerRateLimiter> processes =
                IntStream.range(0, 4).mapToObj(_ -> limiter()).toList();
        assertThat(takenInTenSeconds(processes)).isBetween(ALONE, ALONE + PER_SECOND + 4 * UNTOLD);
    }

    @Test
    @DisplayName("holds a caller up for some seconds, however many units one command has spent elsewhere.")
    void spentAtOnce() {
        here.take("ann", 1_000);
        assertThat(taken(there, "ann", 20)).isLessThanOrEqualTo(UNTOLD);
        pass(Duration.ofMillis(3_900));
        assertThat(taken(there, "ann", 1)).isZero();
        pass(Duration.ofMillis(400));
        assertThat(taken(there, "ann", 20)).isEqualTo(1);
        pass(Duration.ofMinutes(3));
        assertThat(taken(here, "ann", 1)).isZero();
    }

    @Test
    @DisplayName("costs Redis nothing for a caller who is far below the rate.")
    void slow() {
        for (int second = 0; second < 60; second++) {
            assertThat(taken(here, "ann", 1)).isEqualTo(1);
            pass(Duration.ofSeconds(1));
        }
        assertThat(REDIS.keys(SharedBuckets.KEY + "*")).isEmpty();
    }

    @Test
    @DisplayName("keeps limits and rates apart, takes any name of a caller, and is forgotten after seconds.")
    void keys() {
        String name = "a \n:\u4e2d";
        assertThat(taken(here, name, 20)).isEqualTo(AT_ONCE);
        assertThat(taken(limiter(PER_SECOND * 2), name, 40)).isEqualTo(AT_ONCE * 2);
        assertThat(taken(buckets(CONNECTIONS).limiter("others", PER_SECOND), name, 20))
                .isEqualTo(AT_ONCE);
        assertThat(REDIS.getExpire(SharedBuckets.KEY + "draws:5:" + name, TimeUnit.MILLISECONDS))
                .isBetween(1L, 3_500L);
    }

    @Test
    @DisplayName("goes on after Redis was flushed, and with a value that is no bucket.")
    void flushed() {
        assertThat(taken(here, "ann", 20)).isEqualTo(AT_ONCE);
        forget();
        assertThat(takenInTenSeconds(List.of(here, there))).isBetween(ALONE, ALONE + AT_ONCE + PER_SECOND);
        REDIS.opsForValue().set(SharedBuckets.KEY + "draws:5:ben", "no bucket");
        assertThat(taken(here, "ben", 20)).isEqualTo(AT_ONCE);
    }

    @Test
    @DisplayName("goes on with another process whose clock is an hour ahead, and holds callers up for seconds only.")
    void clocks() {
        pass(Duration.ofHours(1));
        assertThat(taken(here, "ann", 20)).isEqualTo(AT_ONCE);
        pass(Duration.ofHours(-1));
        int taken = 0;
        for (int second = 0; second < 60; second++) {
            taken += taken(there, "ann", UNTOLD);
            pass(Duration.ofSeconds(1));
        }
        assertThat(taken).isGreaterThanOrEqualTo(60 / 5);
    }

    @Test
    @DisplayName("is one for each process while Redis is away, and asks it again after a second.")
    void away() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        LettuceConnectionFactory nowhere = connections(new RedisStandaloneConfiguration("127.0.0.1", port));
        Queue<Runnable> asked = new ArrayDeque<>();
        CallerRateLimiter alone = new SharedBuckets(nowhere, clock(), asked::add).limiter(LIMIT, PER_SECOND);
        assertThat(taken(alone, "ann", UNTOLD)).as("no answer yet").isEqualTo(UNTOLD);
        assertThat(asked).hasSize(1);
        asked.remove().run();
        assertThat(taken(alone, "ann", 20)).isEqualTo(AT_ONCE - UNTOLD);
        assertThat(asked).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(taken(alone, "ann", 20)).isEqualTo(PER_SECOND);
        assertThat(asked).hasSize(PER_SECOND);
        nowhere.destroy();
    }
}
