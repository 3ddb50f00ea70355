package lottery.view.redis;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import lottery.api.AggregateId;
import lottery.view.RequiredPositionHolder;

/**
 * A read model in Redis, with one value for each aggregate. Redis is asked first. PostgreSQL is asked if Redis is away,
 * not trusted or without the value, or if the caller has waited for a position. The answer of PostgreSQL then fills the
 * entry in Redis.
 *
 * <p>Each point names a reason why Redis could answer wrongly, and the measure against it:
 *
 * <ul>
 *   <li><b>Redis was away and missed events.</b> The processor {@link RedisReadModelFactory#GROUP} does not skip a
 *       write that fails. It stays at that event and tries again until Redis accepts the write. Until then Redis may
 *       come back with an old value. {@link RedisFreshness} keeps all readers from this value: a processor renews a
 *       heartbeat only while it keeps up with the log, and without the heartbeat nobody reads from Redis.
 *   <li><b>Redis has lost its data.</b> An event only changes an entry that exists, so no wrong entry is created. The
 *       next query fills the entry with the row of PostgreSQL.
 *   <li><b>The row of PostgreSQL is older</b> than the events that the processor of Redis has handled. These events do
 *       not come again, so the entry would stay incomplete. So an entry is filled only with a row that includes the
 *       last event of the aggregate's stream.
 *   <li><b>An event happens while the row is on its way to Redis.</b> A reader first stores a token in the entry. The
 *       processor removes the token at each event of the aggregate, and if Redis loses its data, the token is lost,
 *       too. Without the token the entry is not filled.
 *   <li><b>An event comes twice or late</b>, from another node or from a replay. Each value has the version of its
 *       aggregate, and only moves forward, one event at a time. If an event is missing, the value is dropped.
 *   <li><b>Redis was restored from an old copy.</b> The next event of the aggregate shows that events are missing, and
 *       the value is dropped. If no event follows, the old value lives for {@link RedisEntries#KEPT} at most.
 * </ul>
 *
 * @param <K> the id of the aggregate
 * @param <V> the value, a record
 */
public final class RedisCachedReadModel<K extends AggregateId, V> {

    private final RedisReadModelFactory redis;
    private final Class<V> type;
    private final Function<K, Optional<Versioned<V>>> rows;

    RedisCachedReadModel(RedisReadModelFactory redis, Class<V> type, Function<K, Optional<Versioned<V>>> rows) {
        this.redis = redis;
        this.type = type;
        this.rows = rows;
    }

    /** Applies the current event to the value in Redis, if there is a value. */
    public void updateIfCached(K id, long sequence, UnaryOperator<V> step) {
        redis.batch().add(key(id), sequence, type, step);
    }

    /** Returns the value in Redis, if Redis answers and is trusted. */
    public Optional<V> known(K id) {
        return redis.ifFresh(id, () -> redis.entries().find(key(id)).flatMap(text -> read(id, text)), Optional.empty());
    }

    private Optional<V> read(K id, String text) {
        Optional<V> value = redis.read(text, type);
        if (value.isEmpty()) {
            redis.entries().drop(key(id));
        }
        return value;
    }

    private Optional<V> stored(K id) {
        return redis.stored(id, rows).map(Versioned::value);
    }

    /**
     * Returns the value in Redis, or else in PostgreSQL. A caller that has waited for a position gets the one in
     * PostgreSQL.
     */
    public Optional<V> find(K id) {
        return RequiredPositionHolder.position() > 0 ? stored(id) : known(id).or(() -> storedAndFilled(id));
    }

    private Optional<V> storedAndFilled(K id) {
        String token = redis.token();
        boolean mine = redis.ifFresh(id, () -> redis.entries().reserve(key(id), token), false);
        Optional<Versioned<V>> row = redis.stored(id, rows);
        if (mine) {
            row.filter(found -> found.version() == redis.lastEvent(id)).ifPresent(found -> fill(id, token, found));
        }
        return row.map(Versioned::value);
    }

    private void fill(K id, String token, Versioned<V> row) {
        Versioned<String> entry = new Versioned<>(redis.write(row.value()), row.version());
        var _ = redis.ifFresh(id, () -> redis.entries().fill(key(id), token, entry), false);
    }

    /** Returns the key of an aggregate's value. */
    static String key(AggregateId id) {
        return "lottery:view:" + id.text();
    }
}
