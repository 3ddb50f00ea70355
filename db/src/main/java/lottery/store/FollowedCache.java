package lottery.store;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Caches values that are read from the log, and follows their changes. A lookup waits only if the value is not cached.
 * The owner calls {@link #forget} after a change in this process, and when the event of a change arrives. If that event
 * is late, a value is used for five seconds at most.
 *
 * <p>An absence is never cached: a key that was not in the log a moment ago may be there now. The class is thread-safe.
 * Callers that ask for the same key at the same time share one read. A failure of the read is thrown to them.
 */
public final class FollowedCache<K, V> {

    /** The longest time for which an old value is used if the event of its change arrives late. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /** The age after which a value that a caller asks for is read again in the background. */
    private static final Duration AGE_USUAL = Duration.ofSeconds(2);

    /** @param asOf a time before the read began, because a read takes time and a process may be suspended */
    private record Entry<V>(V value, Instant asOf) {

        boolean isOlderThan(Instant time) {
            return asOf.isBefore(time);
        }
    }

    private final InstantSource clock;
    private final LoadingCache<K, @Nullable Entry<V>> entries;

    /** @param log reads the current value of a key from the log; empty if there is none */
    public FollowedCache(long entriesMax, InstantSource clock, Function<K, Optional<V>> log) {
        this.clock = clock;
        this.entries = Caffeine.newBuilder()
                .maximumSize(entriesMax)
                .expireAfterWrite(AGE_MAX)
                .refreshAfterWrite(AGE_USUAL)
                .executor(Thread::startVirtualThread)
                .build(key -> {
                    Instant now = clock.instant();
                    return log.apply(key).map(value -> new Entry<>(value, now)).orElse(null);
                });
    }

    /** Returns the value of a key, which may be some seconds old; empty if the log has none at this moment. */
    public Optional<V> find(K key) {
        return findAsOf(key, clock.instant().minus(AGE_MAX));
    }

    /** Returns the value that a key had in the log at this time or later. */
    public Optional<V> findAsOf(K key, Instant time) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            // The read may have been one that another caller began before this time. The next one begins later.
            entry = entries.get(key);
        } else if (entry.isOlderThan(time)) {
            entries.asMap().remove(key, entry);
            entry = entries.get(key);
        }
        return Optional.ofNullable(entry).map(Entry::value);
    }

    /** Makes the next lookup of this key read the log. */
    public void forget(K key) {
        entries.asMap().remove(key);
    }

    /** Makes the next lookup of this key read the log, unless its value was read at this time or later. */
    public void forgetOlder(K key, Instant time) {
        entries.asMap().computeIfPresent(key, (_, entry) -> entry.isOlderThan(time) ? null : entry);
    }
}
