package lottery.stock;

import java.util.stream.Stream;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Damage that any client of Redis can do to a stock. */
enum RedisDamage {
    FLUSH,
    ALL_TAKEN,
    NONE_TAKEN,
    EMPTY,
    TEXT,
    NEGATIVE,
    LIST,
    TEXT_FOR_RESERVATIONS,
    TEXT_FOR_TIMES,
    STRANGE_RESERVATIONS,
    TEXT_FOR_NAMES;

    void inflictOn(StringRedisTemplate redis, String scope) {
        switch (this) {
            case FLUSH ->
                redis.execute((RedisCallback<Boolean>) connection -> {
                    connection.serverCommands().flushAll();
                    return true;
                });
            case ALL_TAKEN -> redis.opsForValue().set(RedisStockStore.taken(scope), "\u007f".repeat(1000));
            case NONE_TAKEN -> redis.opsForValue().set(RedisStockStore.taken(scope), "\0".repeat(100));
            case EMPTY -> redis.opsForValue().set(RedisStockStore.taken(scope), "");
            case TEXT -> redis.opsForValue().set(RedisStockStore.taken(scope), "abc");
            case NEGATIVE -> redis.opsForValue().set(RedisStockStore.taken(scope), "-5");
            case LIST -> {
                // The list is put there in one step; otherwise a take in between could write the usual type first.
                redis.opsForList().rightPush("list of " + scope, "abc");
                redis.rename("list of " + scope, RedisStockStore.taken(scope));
            }
            case TEXT_FOR_RESERVATIONS -> redis.opsForValue().set(RedisStockStore.reserved(scope), "abc");
            case TEXT_FOR_TIMES -> redis.opsForValue().set(RedisStockStore.since(scope), "abc");
            case STRANGE_RESERVATIONS ->
                Stream.of("abc", "-5", "1e300", "0", "2.5", "99999999", "")
                        .forEach(unit -> redis.opsForHash().put(RedisStockStore.reserved(scope), "who " + unit, unit));
            case TEXT_FOR_NAMES -> redis.opsForValue().set(RedisStockStore.KNOWN, "abc");
        }
    }
}
