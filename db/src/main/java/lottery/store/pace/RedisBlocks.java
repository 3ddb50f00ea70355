package lottery.store.pace;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.store.pace.BlockedCallers.SharedBlocks;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.DefaultTypedTuple;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/** The blocks of all processes, in one sorted set of Redis: callers by the ends of their blocks. */
final class RedisBlocks implements SharedBlocks {

    static final String KEY = "lottery:blocked";

    private final StringRedisTemplate redis;

    /** The lifetime of the key after a change: no block outlives it. */
    private final Duration kept;

    RedisBlocks(StringRedisTemplate redis, Duration kept) {
        this.redis = redis;
        this.kept = kept;
    }

    @Override
    public void add(Map<String, Instant> blocks) {
        Set<TypedTuple<String>> tuples = blocks.entrySet().stream()
                .map(block -> new DefaultTypedTuple<>(
                        block.getKey(), (double) block.getValue().toEpochMilli()))
                .collect(Collectors.toSet());
        redis.opsForZSet().add(KEY, tuples);
        redis.expire(KEY, kept);
    }

    @Override
    public void remove(Set<String> callers) {
        redis.opsForZSet().remove(KEY, callers.toArray());
    }

    @Override
    public Map<String, Instant> read(Instant now) {
        @Nullable
        Set<TypedTuple<String>> found = redis.opsForZSet()
                .rangeByScoreWithScores(
                        KEY, (double) now.toEpochMilli(), Double.MAX_VALUE, 0, BlockedCallers.CALLERS_MAX);
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
