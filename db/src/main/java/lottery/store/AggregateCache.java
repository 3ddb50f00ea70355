package lottery.store;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.function.UnaryOperator;
import org.axonframework.common.Registration;
import org.axonframework.common.caching.Cache;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates kept in memory, the least useful leave first. Axon's own {@code WeakReferenceCache} forgets all of them at
 * each garbage collection.
 */
public final class AggregateCache implements Cache {

    private final com.github.benmanes.caffeine.cache.Cache<Object, Object> entries;

    /** A cache that holds so many aggregates at most. */
    public AggregateCache(long entriesMax) {
        this.entries = Caffeine.newBuilder().maximumSize(entriesMax).build();
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Axon's signature: the caller knows the type.
    public <K, V> @Nullable V get(K key) {
        return (V) entries.getIfPresent(key);
    }

    @Override
    public void put(Object key, Object value) {
        entries.put(key, value);
    }

    @Override
    public boolean putIfAbsent(Object key, Object value) {
        return entries.asMap().putIfAbsent(key, value) == null;
    }

    @Override
    public boolean remove(Object key) {
        return entries.asMap().remove(key) != null;
    }

    @Override
    public void removeAll() {
        entries.invalidateAll();
    }

    @Override
    public boolean containsKey(Object key) {
        return entries.asMap().containsKey(key);
    }

    @Override
    @SuppressWarnings("unchecked") // Axon's signature: the caller knows the type.
    public <V> void computeIfPresent(Object key, UnaryOperator<V> update) {
        entries.asMap().computeIfPresent(key, (ignored, value) -> update.apply((V) value));
    }

    @Override
    public Registration registerCacheEntryListener(EntryListener listener) {
        throw new UnsupportedOperationException("nobody listens to this cache");
    }
}
