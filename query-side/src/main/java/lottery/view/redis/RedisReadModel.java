package lottery.view.redis;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import lottery.api.AggregateId;
import lottery.view.RequiredPosition;

/**
 * A read model in Redis, one value for each aggregate. Redis answers first; PostgreSQL answers whenever Redis cannot be
 * asked or believed, and whenever somebody has waited for a position. Its answer then fills the place in Redis.
 *
 * <p>What could make Redis answer wrongly, and why it does not:
 *
 * <ul>
 *   <li><b>It was away and missed events.</b> The processor {@link RedisReadModels#GROUP} does not step over a write
 *       that fails: it stays at that event and tries again until Redis takes it. Until then an old value may come back
 *       with Redis; {@link RedisFreshness} keeps everybody from reading it, because only a processor that goes on keeps
 *       the pulse alive.
 *   <li><b>It has lost its memory.</b> Events only move on what is there. The next question fills the place with the
 *       row of PostgreSQL.
 *   <li><b>The row is behind</b> the events that the processor has passed already, so that nobody would ever add what
 *       it lacks. Hence the place is filled only with a row that has the last event of the aggregate's stream.
 *   <li><b>An event happens while the row is on its way to Redis.</b> A reader first leaves a token in the place. The
 *       processor removes it with any event of the aggregate, a loss of memory removes it too, and without the token
 *       nothing is filled.
 *   <li><b>An event comes twice or late</b>, from another node or from a replay. Values have the version of their
 *       aggregate and only move forward, one event at a time; where one is missing, the value is dropped.
 *   <li><b>It was restored from an old copy.</b> The next event of the aggregate finds a gap and drops the value; where
 *       none comes, it lives for {@link RedisEntries#KEPT}.
 * </ul>
 *
 * @param <K> whose value it is
 * @param <V> the value, a record
 */
public final class RedisReadModel<K extends AggregateId, V> {

    private final RedisReadModels redis;
    private final Class<V> type;
    private final Function<K, Optional<Versioned<V>>> rows;

    RedisReadModel(RedisReadModels redis, Class<V> type, Function<K, Optional<Versioned<V>>> rows) {
        this.redis = redis;
        this.type = type;
        this.rows = rows;
    }

    /** The current event moves a value on, where there is one. */
    public void follow(K id, long sequence, UnaryOperator<V> step) {
        redis.batch().add(key(id), sequence, type, step);
    }

    /** The value in Redis, if it can be asked and believed. */
    public Optional<V> known(K id) {
        return redis.ifFelt(() -> redis.entries().find(key(id)).flatMap(text -> read(id, text)), Optional.empty());
    }

    private Optional<V> read(K id, String text) {
        Optional<V> value = redis.read(text, type);
        if (value.isEmpty()) {
            redis.entries().drop(key(id));
        }
        return value;
    }

    /** The value in PostgreSQL at this moment. */
    public Optional<V> stored(K id) {
        return rows.apply(id).map(Versioned::value);
    }

    /** The value in Redis, or else in PostgreSQL. */
    public Optional<V> find(K id) {
        return RequiredPosition.position() > 0 ? stored(id) : known(id).or(() -> storedAndFilled(id));
    }

    private Optional<V> storedAndFilled(K id) {
        String token = redis.token();
        boolean mine = redis.ifFelt(() -> redis.entries().reserve(key(id), token), false);
        Optional<Versioned<V>> row = rows.apply(id);
        if (mine) {
            row.filter(found -> found.version() == redis.lastEvent(id)).ifPresent(found -> fill(id, token, found));
        }
        return row.map(Versioned::value);
    }

    private void fill(K id, String token, Versioned<V> row) {
        Versioned<String> entry = new Versioned<>(redis.write(row.value()), row.version());
        var _ = redis.ifFelt(() -> redis.entries().fill(key(id), token, entry), false);
    }

    /** The place of an aggregate's value. */
    static String key(AggregateId id) {
        return "lottery:view:" + id.text();
    }
}
