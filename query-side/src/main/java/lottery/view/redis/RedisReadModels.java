package lottery.view.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import lottery.api.AggregateId;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the read models in Redis, and has what they share. All of them follow the log with one processor of their own:
 * while Redis is away it stands still, and nothing else does.
 */
@Component
public class RedisReadModels {

    /** The processing group of everything that follows the log in Redis. */
    public static final String GROUP = "redis";

    private static final String GATHERED = RedisBatch.class.getName();

    private final RedisEntries entries;
    private final RedisFreshness pulse;
    private final EventStore events;
    private final RandomGenerator random;
    private final InstantSource clock;

    /** A value that was written with other fields, by an older version or a newer one, is none. */
    private final JsonMapper json = JsonMapper.builder()
            .enable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    RedisReadModels(
            RedisEntries entries,
            RedisFreshness pulse,
            EventStore events,
            RandomGenerator random,
            InstantSource clock) {
        this.entries = entries;
        this.pulse = pulse;
        this.events = events;
        this.random = random;
        this.clock = clock;
    }

    /**
     * A read model in Redis.
     *
     * @param rows what PostgreSQL says; empty: nothing that is worth keeping
     */
    public <K extends AggregateId, V> RedisReadModel<K, V> of(Class<V> type, Function<K, Optional<Versioned<V>>> rows) {
        return new RedisReadModel<>(this, type, rows);
    }

    /**
     * A cache in Redis of what changes too often to be followed.
     *
     * @param name of what it has, for its keys
     * @param kept how long a value lives
     * @param rows what PostgreSQL says
     */
    public <K extends AggregateId, V> RedisShortCache<K, V> cache(
            Class<V> type, String name, Duration kept, Function<K, V> rows) {
        return new RedisShortCache<>(this, type, name, kept, rows);
    }

    /** Asks Redis if it can be asked. A failure is the last one for a while: nobody else waits to find out. */
    <T> T ifFelt(Supplier<T> question, T otherwise) {
        if (!pulse.isFelt()) {
            return otherwise;
        }
        try {
            return question.get();
        } catch (DataAccessException away) {
            pulse.lost();
            return otherwise;
        }
    }

    /** The changes by the events of the batch that is under way; it is written at the batch's end, before its token. */
    RedisBatch batch() {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        return batch.getOrComputeResource(GATHERED, _ -> {
            RedisBatch fresh = new RedisBatch(this);
            batch.onPrepareCommit(_ -> fresh.write());
            return fresh;
        });
    }

    RedisEntries entries() {
        return entries;
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

    /** Empty: it is no such value. */
    <V> Optional<V> read(String text, Class<V> type) {
        try {
            return Optional.ofNullable(json.readValue(text, type));
        } catch (JacksonException notOurs) {
            return Optional.empty();
        }
    }
}
