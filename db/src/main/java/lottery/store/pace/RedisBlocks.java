package lottery.store.pace;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.store.pace.CallerBlocklist.SharedBlocks;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Stores the blocks of all processes in one sorted set of Redis. Its members are callers, and their scores are the ends
 * of the blocks.
 */
final class RedisBlocks implements SharedBlocks {

    static final String KEY = "lottery:blocked";

    /**
     * Removes blocks that have ended and adds new ones, in one step. It never shortens the lifetime of the key, because
     * other processes may have longer blocks than this one.
     */
    private static final RedisScript<Long> ADD = RedisScript.of("""
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
            for i = 3, #ARGV, 2 do
                redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1])
            end
            if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
                redis.call('PEXPIRE', KEYS[1], ARGV[2])
            end
            return redis.call('ZCARD', KEYS[1])
            """, Long.class);

    private final StringRedisTemplate redis;

    /** The shortest lifetime of the key after a change: no block of this process lasts longer. */
    private final Duration kept;

    RedisBlocks(StringRedisTemplate redis, Duration kept) {
        this.redis = redis;
        this.kept = kept;
    }

    @Override
    public void add(Map<String, Instant> blocks, Instant now) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(now.toEpochMilli()));
        arguments.add(Long.toString(kept.toMillis()));
        blocks.forEach((caller, until) -> {
            arguments.add(Long.toString(until.toEpochMilli()));
            arguments.add(caller);
        });
        redis.execute(ADD, List.of(KEY), arguments.toArray());
    }

    @Override
    public void remove(Set<String> callers) {
        redis.opsForZSet().remove(KEY, callers.toArray());
    }

    @Override
    public Map<String, Instant> read(Instant now) {
        // If there are too many blocks, those that end first are left out.
        @Nullable
        Set<TypedTuple<String>> found = redis.opsForZSet()
                .reverseRangeByScoreWithScores(
                        KEY, (double) now.toEpochMilli(), Double.MAX_VALUE, 0, CallerBlocklist.CALLERS_MAX);
        Map<String, Instant> blocks = new HashMap<>();
        if (found != null) {
            for (TypedTuple<String> each : found) {
                if (each.getValue() != null && each.getScore() != null) {
                    blocks.put(
                            each.getValue(),
                            Instant.ofEpochMilli(each.getScore().longValue()));
                }
            }
        }
        return blocks;
    }
}
