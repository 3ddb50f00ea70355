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
 * Aggregates kept in memory, the least useful leave first. Axon's own {@code WeakReferenceCache} forgets all of them at
 * each garbage collection.
 *
 * <p>Another process may have changed an aggregate that is cached here. A command that changes it is told so by a
 * conflict. One that leaves it as it is, because it refuses, say, may have decided on old knowledge: then the cache
 * asks whether what it gave out was the latest, and if not, the command fails with a conflict and is handled again. (A
 * refusal by exception is not asked about: Axon takes the aggregate out of the cache then.)
 */
public final class AggregateCache implements Cache {

    private static final String GIVEN_OUT = AggregateCache.class.getName();

    private final com.github.benmanes.caffeine.cache.Cache<Object, Object> entries;
    private final DomainEventSequenceAware events;

    /** Holds so many aggregates at most, of those whose events are there. */
    public AggregateCache(long entriesMax, DomainEventSequenceAware events) {
        this(Caffeine.newBuilder().maximumSize(entriesMax), events);
    }

    /**
     * For aggregates that are asked for a few times within a short while, and then hardly ever. The least useful of a
     * full cache is a new one, of which nothing is known yet; so these leave when nobody has asked for so long.
     */
    public AggregateCache(long entriesMax, Duration idleMax, DomainEventSequenceAware events) {
        this(Caffeine.newBuilder().maximumSize(entriesMax).expireAfterAccess(idleMax), events);
    }

    private AggregateCache(Caffeine<Object, Object> cache, DomainEventSequenceAware events) {
        // To wake another thread, thousands of times a second, costs more than what it would do.
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

    /** An entry that was never serialized is asked for nothing but the aggregate that it was made of. */
    @SuppressWarnings("NullAway") // Its arguments are for an entry that was.
    private static Aggregate<?> aggregateIn(AggregateCacheEntry<?> entry) {
        return entry.recreateAggregate(null, null, null, null);
    }

    private void verifyLater(String id, Aggregate<?> aggregate) {
        UnitOfWork<?> command = CurrentUnitOfWork.get().root();
        Set<String> givenOut = command.getOrComputeResource(GIVEN_OUT, ignored -> new HashSet<>());
        if (givenOut.add(id)) {
            Long version = aggregate.version();
            // Before anything is stored: what the command writes elsewhere was decided on this aggregate, too.
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
            throw new ConcurrencyException(id + " was changed elsewhere, and what was decided here may be wrong");
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
