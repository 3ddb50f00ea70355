package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import org.axonframework.common.caching.Cache;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The cache of aggregates")
class AggregateCacheTest {

    private static final Duration IDLE_MAX = Duration.ofSeconds(1);

    private final Cache cache = new AggregateCache(1000, aggregate -> Optional.empty());

    @Test
    @DisplayName("returns the latest value that was put")
    void puts() {
        cache.put("a", "first");
        cache.put("a", "second");
        assertThat(cache.<String, String>get("a")).isEqualTo("second");
        assertThat(cache.containsKey("a")).isTrue();
    }

    @Test
    @DisplayName("returns null for a missing entry")
    void misses() {
        assertThat(cache.<String, String>get("a")).isNull();
        assertThat(cache.containsKey("a")).isFalse();
    }

    @Test
    @DisplayName("keeps an entry when another one is put only if absent")
    void putsIfAbsent() {
        assertThat(cache.putIfAbsent("a", "first")).isTrue();
        assertThat(cache.putIfAbsent("a", "second")).isFalse();
        assertThat(cache.<String, String>get("a")).isEqualTo("first");
    }

    @Test
    @DisplayName("computes a value only when it has none")
    void computesIfAbsent() {
        assertThat(cache.computeIfAbsent("a", () -> "first")).isEqualTo("first");
        assertThat(cache.computeIfAbsent("a", () -> "second")).isEqualTo("first");
        assertThat(cache.<String, String>get("a")).isEqualTo("first");
    }

    @Test
    @DisplayName("changes a value only when it has one")
    void computesIfPresent() {
        cache.<String>computeIfPresent("a", value -> value + "!");
        assertThat(cache.containsKey("a")).isFalse();
        cache.put("a", "first");
        cache.<String>computeIfPresent("a", value -> value + "!");
        assertThat(cache.<String, String>get("a")).isEqualTo("first!");
    }

    @Test
    @DisplayName("tells whether a removed entry was there")
    void removes() {
        cache.put("a", "first");
        assertThat(cache.remove("a")).isTrue();
        assertThat(cache.remove("a")).isFalse();
        assertThat(cache.<String, String>get("a")).isNull();
    }

    @Test
    @DisplayName("is empty after all entries were removed")
    void removesAll() {
        cache.put("a", "first");
        cache.put("b", "first");
        cache.removeAll();
        assertThat(cache.containsKey("a")).isFalse();
        assertThat(cache.containsKey("b")).isFalse();
    }

    @Test
    @DisplayName("has room for new entries when many old ones were used more often, but not lately")
    void makesRoom() {
        Cache shortLived = new AggregateCache(100, IDLE_MAX, aggregate -> Optional.empty());
        for (int i = 0; i < 100; i++) {
            shortLived.put("old-" + i, "first");
            for (int times = 0; times < 10; times++) {
                assertThat(shortLived.<String, String>get("old-" + i)).isNotNull();
            }
        }
        await().pollDelay(IDLE_MAX.multipliedBy(2)).until(() -> true);
        for (int i = 0; i < 90; i++) {
            shortLived.put("new-" + i, "first");
        }
        for (int i = 0; i < 90; i++) {
            assertThat(shortLived.<String, String>get("new-" + i)).isEqualTo("first");
        }
    }

    @Test
    @DisplayName("survives a garbage collection")
    void survives() {
        cache.put("a", new Object());
        System.gc();
        assertThat(cache.containsKey("a")).isTrue();
    }

    @Test
    @DisplayName("refuses listeners, because it would never call them")
    void refusesListeners() {
        assertThatThrownBy(() -> cache.registerCacheEntryListener(new Cache.EntryListenerAdapter()))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
