package lottery.view.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import lottery.stage.OnStage;
import lottery.stage.PatientRedis;
import lottery.view.redis.RedisEntries.EntryChange;
import lottery.view.redis.RedisEntries.Events;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;

@OnStage
@DisplayName("Entries in Redis")
class RedisEntriesTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final String KEY = "lottery:view:entries-test";

    private final RedisEntries entries;
    private final StringRedisTemplate redis;

    @Autowired
    RedisEntriesTest(PatientRedis redis) {
        this.redis = redis.template();
        this.entries = new RedisEntries(this.redis);
    }

    @BeforeEach
    void forget() {
        redis.delete(KEY);
    }

    @Test
    @DisplayName("An entry moves on with the next event, and then lives for minutes.")
    void next() {
        fill("v7", 7);

        assertThat(waiting(8, 9)).isEqualTo(new Versioned<>("v7", 7));
        assertThat(move(7, 9, "v9")).isOne();

        assertThat(entries.find(KEY)).contains("v9");
        assertThat(version()).isEqualTo("9");
        assertThat(redis.getExpire(KEY)).isBetween(500L, RedisEntries.KEPT.toSeconds());
    }

    @Test
    @DisplayName("An entry is not changed by older events, nor by an older value.")
    void forwardOnly() {
        fill("v7", 7);

        assertThat(waiting(3, 7)).isNull();
        assertThat(move(5, 6, "v6")).isZero();
        assertThat(move(6, 7, "other")).isZero();
        assertThat(entries.reserve(KEY, "late")).isFalse();
        assertThat(entries.fill(KEY, "late", new Versioned<>("v6", 6))).isFalse();

        assertThat(entries.find(KEY)).contains("v7");
        assertThat(version()).isEqualTo("7");
    }

    @Test
    @DisplayName("An entry is dropped if an event is missing.")
    void gap() {
        fill("v7", 7);

        assertThat(waiting(9, 9)).isNull();

        assertThat(redis.hasKey(KEY)).isFalse();
    }

    @Test
    @DisplayName("An entry is dropped if its new value is unknown or too large.")
    void unknown() {
        fill("v7", 7);
        assertThat(move(7, 8, null)).isZero();
        assertThat(redis.hasKey(KEY)).isFalse();

        fill("v7", 7);
        assertThat(move(7, 8, "x".repeat(RedisEntries.VALUE_MAX + 1))).isZero();
        assertThat(redis.hasKey(KEY)).isFalse();

        assertThat(entries.reserve(KEY, "mine")).isTrue();
        assertThat(entries.fill(KEY, "mine", new Versioned<>("x".repeat(RedisEntries.VALUE_MAX + 1), 8)))
                .isFalse();
    }

    @Test
    @DisplayName("An entry is not filled with a row if an event came after it, nor after a loss of memory.")
    void token() {
        assertThat(entries.reserve(KEY, "mine")).isTrue();
        assertThat(entries.reserve(KEY, "yours")).isFalse();
        assertThat(waiting(8, 8)).isNull();
        assertThat(entries.fill(KEY, "mine", new Versioned<>("v7", 7))).isFalse();

        assertThat(entries.reserve(KEY, "mine")).isTrue();
        redis.delete(KEY);
        assertThat(entries.fill(KEY, "mine", new Versioned<>("v7", 7))).isFalse();

        assertThat(redis.hasKey(KEY)).isFalse();
    }

    @Test
    @DisplayName("An event never creates an entry.")
    void neverBegun() {
        assertThat(waiting(0, 0)).isNull();
        assertThat(move(-1, 0, "v0")).isZero();

        assertThat(redis.hasKey(KEY)).isFalse();
    }

    @Test
    @DisplayName("An entry may exist before the first event of its aggregate.")
    void beforeTheFirst() {
        fill("none", -1);

        assertThat(waiting(0, 0)).isEqualTo(new Versioned<>("none", -1));
        assertThat(move(-1, 0, "v0")).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "list", "no number", "half a number", "no value", "no version"})
    @DisplayName("A key of another type makes room for an entry.")
    void wrong(String kind) {
        lie(kind);
        assertThat(waiting(8, 8)).isNull();
        assertThat(redis.hasKey(KEY)).isFalse();

        lie(kind);
        assertThat(entries.find(KEY).isPresent()).isEqualTo(kind.contains("number"));
        assertThat(redis.hasKey(KEY)).isEqualTo(kind.contains("number"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "list", "no number", "half a number", "no version"})
    @DisplayName("A value that is no entry any more does not move on.")
    void wrongMeanwhile(String kind) {
        lie(kind);

        assertThat(move(7, 8, "v8")).isZero();

        assertThat(redis.hasKey(KEY)).isFalse();
    }

    private void lie(String kind) {
        redis.delete(KEY);
        switch (kind) {
            case "string" -> redis.opsForValue().set(KEY, "wrong");
            case "list" -> redis.opsForList().leftPush(KEY, "wrong");
            default -> {
                fill("v7", 7);
                switch (kind) {
                    case "no number" -> redis.opsForHash().put(KEY, "version", "many");
                    case "half a number" -> redis.opsForHash().put(KEY, "version", "7.5");
                    case "no value" -> redis.opsForHash().delete(KEY, "value");
                    default -> redis.opsForHash().delete(KEY, "version");
                }
            }
        }
    }

    @Test
    @DisplayName("An entry that two nodes move on is never older than what either has written.")
    void twoNodes() throws Exception {
        int last = 300;
        fill("v0", 0);
        List<Future<Integer>> nodes = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int node = 0; node < 2; node++) {
                nodes.add(threads.submit(() -> followUpTo(last)));
            }
        }

        for (Future<Integer> node : nodes) {
            assertThat(node.get(1, TimeUnit.SECONDS)).isEqualTo(last);
        }
        assertThat(entries.find(KEY)).contains("v" + last);
    }

    /** Follows the events like a processor, which repeats a write that was not answered. */
    private int followUpTo(int last) {
        for (int i = 1; i <= last; i++) {
            int event = i;
            await().pollDelay(Duration.ZERO)
                    .atMost(SOON)
                    .ignoreExceptionsInstanceOf(DataAccessException.class)
                    .untilAsserted(() -> assertThat(follow(event)).isGreaterThanOrEqualTo(event));
        }
        return last;
    }

    private int follow(int event) {
        Versioned<String> entry = waiting(event, event);
        if (entry != null) {
            move(entry.version(), event, "v" + event);
        }
        return Integer.parseInt(version());
    }

    private void fill(String value, long version) {
        redis.delete(KEY);
        assertThat(entries.reserve(KEY, "token")).isTrue();
        assertThat(entries.fill(KEY, "token", new Versioned<>(value, version))).isTrue();
    }

    private @Nullable Versioned<String> waiting(long first, long last) {
        return entries.waiting(List.of(new Events(KEY, first, last))).getFirst();
    }

    private long move(long from, long to, @Nullable String value) {
        return entries.moveOn(List.of(new EntryChange(KEY, from, to, value)));
    }

    private String version() {
        return String.valueOf(redis.opsForHash().get(KEY, "version"));
    }
}
