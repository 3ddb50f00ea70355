package lottery.view.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import lottery.api.AggregateId;
import lottery.view.RequiredPositionHolder;

/**
 * A cache in Redis for values that change too often to follow each event. A value lives for a fraction of a second, and
 * is never replaced during that time. So no node can replace a newer value by an older one, and no value is older than
 * its lifetime allows.
 *
 * @param <K> the id of the aggregate
 * @param <V> the value, a record
 */
public final class RedisShortCache<K extends AggregateId, V> {

    private final RedisReadModelFactory redis;
    private final Class<V> type;
    private final String name;
    private final Duration kept;
    private final Function<K, V> rows;

    RedisShortCache(RedisReadModelFactory redis, Class<V> type, String name, Duration kept, Function<K, V> rows) {
        this.redis = redis;
        this.type = type;
        this.name = name;
        this.kept = kept;
        this.rows = rows;
    }

    /**
     * Returns the value in Redis, or else in PostgreSQL. A caller that has waited for a position gets the one in
     * PostgreSQL.
     */
    public V find(K id) {
        return RequiredPositionHolder.position() > 0 ? stored(id) : known(id).orElseGet(() -> storedAndKept(id));
    }

    private V stored(K id) {
        return redis.stored(id, rows);
    }

    private Optional<V> known(K id) {
        return redis.ifFresh(id, () -> redis.entries().text(key(id)).flatMap(text -> read(id, text)), Optional.empty());
    }

    private Optional<V> read(K id, String text) {
        Optional<V> value = redis.read(text, type);
        if (value.isEmpty()) {
            redis.entries().drop(key(id));
        }
        return value;
    }

    /**
     * Reads the value from PostgreSQL and stores it in Redis. A reader that was delayed after its query does not store
     * the value, because it is old by then.
     */
    private V storedAndKept(K id) {
        Instant asked = redis.now();
        V value = stored(id);
        String text = redis.write(value);
        if (Duration.between(asked, redis.now()).compareTo(kept) < 0) {
            var _ = redis.ifFresh(id, () -> redis.entries().keep(key(id), text, kept), false);
        }
        return value;
    }

    private String key(K id) {
        return "lottery:view:" + name + ":" + id.text();
    }
}
