package lottery.store;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.axonframework.common.Registration;
import org.axonframework.common.caching.Cache;
import org.axonframework.eventhandling.DomainEventSequenceAware;
import org.axonframework.eventsourcing.AggregateCacheEntry;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.Aggregate;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps aggregates in memory. It replaces Axon's own {@code WeakReferenceCache}, which loses all its entries at each
 * garbage collection. A full cache drops the aggregates that it expects to be used least.
 *
 * <p>Another process may have changed an aggregate that is cached here. A command that changes it then fails with a
 * conflict. A command that does not change the aggregate, for example because it is refused, may have decided on
 * outdated state. Therefore the cache checks, before the commit, whether the command has used the latest version of the
 * aggregate. If not, the command fails with a conflict and is handled again. (A refusal by exception is not checked,
 * because Axon then removes the aggregate from the cache.)
 */
public final class AggregateCache implements Cache {

    private static final String GIVEN_OUT = AggregateCache.class.getName();

    private final com.github.benmanes.caffeine.cache.Cache<Object, Object> entries;
    private final DomainEventSequenceAware events;

    /** Creates a cache of {@code entriesMax} aggregates at most; {@code events} knows their latest versions. */
    public AggregateCache(long entriesMax, DomainEventSequenceAware events) {
        this(Caffeine.newBuilder().maximumSize(entriesMax), events);
    }

    /**
     * Creates a cache for aggregates that are used a few times within a short while, and then hardly ever. An aggregate
     * that was not used for {@code idleMax} is removed. Otherwise idle aggregates would keep new ones out: a full cache
     * drops new entries first, because it does not know yet how often they are used.
     */
    public AggregateCache(long entriesMax, Duration idleMax, DomainEventSequenceAware events) {
        this(Caffeine.newBuilder().maximumSize(entriesMax).expireAfterAccess(idleMax), events);
    }

    private AggregateCache(Caffeine<Object, Object> cache, DomainEventSequenceAware events) {
        // The cache does its maintenance on the caller's thread. To wake another thread thousands of times a second
        // would cost more.
        this.entries = cache.executor(Runnable::run).build();
        this.events = events;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Axon's signature: the caller knows the type.
    public <K, V> @Nullable V get(K key) {
        Object entry = entries.getIfPresent(key);
        if (entry instanceof AggregateCacheEntry<?> cached && CurrentUnitOfWork.isStarted()) {
            verifyLater(key.toString(), aggregateIn(cached));
        }
        return (V) entry;
    }

    /**
     * Returns the aggregate of an entry. The arguments are null: only a serialized entry would use them, and entries
     * here are never serialized.
     */
    @SuppressWarnings("NullAway") // Only a serialized entry uses the arguments.
    private static Aggregate<?> aggregateIn(AggregateCacheEntry<?> entry) {
        return entry.recreateAggregate(null, null, null, null);
    }

    private void verifyLater(String id, Aggregate<?> aggregate) {
        UnitOfWork<?> command = CurrentUnitOfWork.get().root();
        Set<String> givenOut = command.getOrComputeResource(GIVEN_OUT, ignored -> new HashSet<>());
        if (givenOut.add(id)) {
            Long version = aggregate.version();
            // The check runs before anything is stored, because the command's other writes depend on this aggregate,
            // too.
            command.onPrepareCommit(ending -> {
                if (Objects.equals(aggregate.version(), version)) {
                    verify(id, version);
                }
            });
        }
    }

    private void verify(String id, @Nullable Long version) {
        if (!Objects.equals(events.lastSequenceNumberFor(id).orElse(null), version)) {
            entries.invalidate(id);
            throw new ConcurrencyException(
                    id + " was changed after it was read, so the command has to be decided again");
        }
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
