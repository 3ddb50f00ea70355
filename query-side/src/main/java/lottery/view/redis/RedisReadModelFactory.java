package lottery.view.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import lottery.api.AggregateId;
import lottery.store.log.Logs;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates the read models in Redis, and has the parts that they share. All of them follow the log with a single
 * processor. It waits while Redis is away, and the other processors are not affected.
 */
@Component
public class RedisReadModelFactory {

    /** The processing group of all read models in Redis. */
    public static final String GROUP = "redis";

    private static final String GATHERED = RedisReadModelBatch.class.getName();

    private final RedisEntries entries;
    private final RedisFreshness freshness;
    private final Logs logs;
    private final RedisLogAnchor anchor;
    private final EventStore events;
    private final RandomGenerator random;
    private final InstantSource clock;

    /** A value with unknown or missing fields is rejected, because another version of the program has written it. */
    private final JsonMapper json = JsonMapper.builder()
            .enable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    RedisReadModelFactory(
            RedisEntries entries,
            RedisFreshness freshness,
            Logs logs,
            RedisLogAnchor anchor,
            EventStore events,
            RandomGenerator random,
            InstantSource clock) {
        this.entries = entries;
        this.freshness = freshness;
        this.logs = logs;
        this.anchor = anchor;
        this.events = events;
        this.random = random;
        this.clock = clock;
    }

    /**
     * Creates a read model in Redis.
     *
     * @param rows reads the value from PostgreSQL; empty if there is nothing worth caching
     */
    public <K extends AggregateId, V> RedisCachedReadModel<K, V> of(
            Class<V> type, Function<K, Optional<Versioned<V>>> rows) {
        return new RedisCachedReadModel<>(this, type, rows);
    }

    /**
     * Creates a cache in Redis for values that change too often to follow each event.
     *
     * @param name the kind of the values, which is part of their keys
     * @param kept the lifetime of a value
     * @param rows reads the value from PostgreSQL
     */
    public <K extends AggregateId, V> RedisShortCache<K, V> cache(
            Class<V> type, String name, Duration kept, Function<K, V> rows) {
        return new RedisShortCache<>(this, type, name, kept, rows);
    }

    /**
     * Returns the answer of Redis, or {@code otherwise} if Redis is not available. After a failure no other query asks
     * Redis until it is back.
     */
    <T> T ifFresh(AggregateId id, Supplier<T> question, T otherwise) {
        if (!freshness.isFresh(id)) {
            return otherwise;
        }
        try {
            return question.get();
        } catch (DataAccessException away) {
            freshness.lost();
            return otherwise;
        }
    }

    /** Returns what PostgreSQL has of an aggregate, from the log of the aggregate. */
    <K extends AggregateId, T> T stored(K id, Function<K, T> rows) {
        return logs.of(id.text()).call(() -> rows.apply(id));
    }

    /** Returns the changes of the current batch, which are written before the batch's token. */
    RedisReadModelBatch batch() {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        return batch.getOrComputeResource(GATHERED, _ -> {
            RedisReadModelBatch fresh = new RedisReadModelBatch(this);
            batch.onPrepareCommit(_ -> fresh.write());
            return fresh;
        });
    }

    RedisEntries entries() {
        return entries;
    }

    RedisLogAnchor anchor() {
        return anchor;
    }

    Instant now() {
        return clock.instant();
    }

    String token() {
        return Long.toHexString(random.nextLong());
    }

    long lastEvent(AggregateId id) {
        Optional<Long> last = events.lastSequenceNumberFor(id.text());
        return last.orElse(-1L);
    }

    String write(Object value) {
        return json.writeValueAsString(value);
    }

    /** Reads a value; empty if the text is no value of this type. */
    <V> Optional<V> read(String text, Class<V> type) {
        try {
            return Optional.ofNullable(json.readValue(text, type));
        } catch (JacksonException notOurs) {
            return Optional.empty();
        }
    }
}
