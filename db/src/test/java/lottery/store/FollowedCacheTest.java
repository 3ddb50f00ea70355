package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A cache that follows the log")
class FollowedCacheTest {

    private static final String KEY = "activity:1";
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<String, String> log = new HashMap<>();
    private Instant now = START;
    private int reads;
    private final FollowedCache<String, String> cache = new FollowedCache<>(10, () -> now, key -> {
        reads++;
        return Optional.ofNullable(log.get(key));
    });

    @Test
    @DisplayName("finds what was stored after somebody asked for it too early")
    void absence() {
        assertThat(cache.find(KEY)).isEmpty();
        log.put(KEY, "created");
        assertThat(cache.find(KEY)).hasValue("created");
    }

    @Test
    @DisplayName("does not read a value twice that it has just read")
    void cached() {
        log.put(KEY, "created");
        cache.find(KEY);
        log.put(KEY, "started");
        assertThat(cache.find(KEY)).hasValue("created");
        assertThat(reads).isOne();
    }

    @Test
    @DisplayName("reads a value again that was forgotten after a change")
    void forgotten() {
        log.put(KEY, "created");
        cache.find(KEY);
        log.put(KEY, "started");
        cache.forget(KEY);
        assertThat(cache.find(KEY)).hasValue("started");
    }

    @Test
    @DisplayName("uses a value for five seconds at most, if nobody tells it of a change")
    void old() {
        log.put(KEY, "created");
        cache.find(KEY);
        log.put(KEY, "started");
        now = START.plusSeconds(5).plusMillis(1);
        assertThat(cache.find(KEY)).hasValue("started");
    }

    @Test
    @DisplayName("returns a value that is not older than the caller demands")
    void asOf() {
        log.put(KEY, "created");
        cache.find(KEY);
        log.put(KEY, "started");
        assertThat(cache.findAsOf(KEY, START)).hasValue("created");
        now = START.plusMillis(1);
        assertThat(cache.findAsOf(KEY, now)).hasValue("started");
    }

    @Test
    @DisplayName("forgets a value that was read before a time, and keeps one that was read later")
    void forgetOlder() {
        log.put(KEY, "created");
        cache.find(KEY);
        cache.forgetOlder(KEY, START);
        cache.find(KEY);
        assertThat(reads).isOne();
        cache.forgetOlder(KEY, START.plusMillis(1));
        cache.find(KEY);
        assertThat(reads).isEqualTo(2);
    }
}
