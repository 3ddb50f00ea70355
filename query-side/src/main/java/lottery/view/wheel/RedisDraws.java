package lottery.view.wheel;

import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lottery.api.account.AccountId;
import lottery.view.account.DrawsOfDay;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Component;

/**
 * The counts in Redis: a hash per account with day, draws and version, or with the token of who is about to put them
 * there. Each step is one script, so that nothing comes in between.
 */
@Component
class RedisDraws {

    /** A day, and enough for a clock that is late: after that the count says zero anyway. */
    private static final Duration COUNT_KEPT = Duration.ofHours(26);

    /** Longer than any question waits. Who has died in between blocks nobody for longer. */
    private static final Duration TOKEN_KEPT = Duration.ofSeconds(5);

    /** Instead of a day: never drawn; as the argument of an event: no draw. */
    private static final String NO_DAY = "";

    private static final List<String> FIELDS = List.of("day", "draws", "version");

    /** Whatever else is under a key is nobody's memory. */
    private static final String ONLY_A_HASH = """
            for _, key in ipairs(KEYS) do
                local kind = redis.call('TYPE', key).ok
                if kind ~= 'hash' and kind ~= 'none' then
                    redis.call('DEL', key)
                end
            end
            """;

    private static final RedisScript<Long> FOLLOW = new DefaultRedisScript<>(ONLY_A_HASH + """
            local followed = 0
            for i, key in ipairs(KEYS) do
                local sequence, day = tonumber(ARGV[2 * i]), ARGV[2 * i + 1]
                local known = redis.call('HMGET', key, 'version', 'day', 'draws')
                local version = known[1] and tonumber(known[1])
                if not version or version < sequence then
                    if version ~= sequence - 1 or not known[2] or not tonumber(known[3]) then
                        -- Unknown, about to be put back without this event, one event is missing, or no number: better
                        -- no count.
                        redis.call('DEL', key)
                    else
                        redis.call('HSET', key, 'version', ARGV[2 * i])
                        if day ~= '' then
                            local draws = day == known[2] and tonumber(known[3]) or 0
                            redis.call('HSET', key, 'day', day, 'draws', draws + 1)
                        end
                        redis.call('EXPIRE', key, ARGV[1])
                        followed = followed + 1
                    end
                end
            end
            return followed
            """, Long.class);

    private static final RedisScript<Boolean> RESERVE = script("""
            if redis.call('EXISTS', KEYS[1]) == 1 then
                return 0
            end
            redis.call('HSET', KEYS[1], 'token', ARGV[1])
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return 1
            """);

    private static final RedisScript<Boolean> PUT_BACK = script("""
            if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
                return 0
            end
            redis.call('DEL', KEYS[1])
            redis.call('HSET', KEYS[1], 'version', ARGV[2], 'day', ARGV[3], 'draws', ARGV[4])
            redis.call('EXPIRE', KEYS[1], ARGV[5])
            return 1
            """);

    private final StringRedisTemplate redis;

    RedisDraws(StringRedisTemplate redis) {
        this.redis = redis;
    }

    private static RedisScript<Boolean> script(String lua) {
        return new DefaultRedisScript<>(ONLY_A_HASH + lua, Boolean.class);
    }

    static String key(AccountId account) {
        return "lottery:draws-today:" + account.text();
    }

    /** What cannot be read as a count is no memory, and makes room for one. */
    Optional<DrawsOfDay> find(AccountId account) {
        List<String> known;
        try {
            known = redis.<String, String>opsForHash().multiGet(key(account), FIELDS);
        } catch (RedisSystemException refused) {
            redis.delete(key(account));
            return Optional.empty();
        }
        @Nullable String day = known.get(0);
        @Nullable String draws = known.get(1);
        @Nullable String version = known.get(2);
        if (version == null || day == null || draws == null) {
            if (version != null || day != null || draws != null) {
                redis.delete(key(account));
            }
            return Optional.empty();
        }
        try {
            return Optional.of(new DrawsOfDay(
                    day.equals(NO_DAY) ? null : LocalDate.parse(day), natural(draws), Long.parseLong(version)));
        } catch (DateTimeParseException | NumberFormatException notOurs) {
            redis.delete(key(account));
            return Optional.empty();
        }
    }

    private static int natural(String draws) {
        int number = Integer.parseInt(draws);
        if (number < 0) {
            throw new NumberFormatException("nobody has drawn " + draws + " times");
        }
        return number;
    }

    /**
     * What happened to an account.
     *
     * @param sequence the event's number in the account's stream
     * @param day that a draw belongs to; null: it is no draw
     */
    record Step(AccountId account, long sequence, @Nullable LocalDate day) {}

    /** Lets the counts follow that are there, one step after the other, and says how many did. */
    long follow(List<Step> steps) {
        List<String> arguments = new ArrayList<>();
        arguments.add(seconds(COUNT_KEPT));
        for (Step step : steps) {
            arguments.add(Long.toString(step.sequence()));
            arguments.add(step.day() == null ? NO_DAY : step.day().toString());
        }
        return redis.execute(
                FOLLOW, steps.stream().map(step -> key(step.account())).toList(), arguments.toArray());
    }

    /** Whether the place was free: only then may the count be put back with this token. */
    boolean reserve(AccountId account, String token) {
        return run(RESERVE, account, token, seconds(TOKEN_KEPT));
    }

    /** Whether nothing has happened to the account since the place was reserved. */
    boolean putBack(AccountId account, String token, DrawsOfDay count) {
        return run(
                PUT_BACK,
                account,
                token,
                Long.toString(count.version()),
                count.day() == null ? NO_DAY : count.day().toString(),
                Integer.toString(count.draws()),
                seconds(COUNT_KEPT));
    }

    private boolean run(RedisScript<Boolean> script, AccountId account, Object... arguments) {
        return Boolean.TRUE.equals(redis.execute(script, List.of(key(account)), arguments));
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }
}
