package lottery.store.pace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import lottery.store.pace.RateLimitExchange.SharedUnits;
import lottery.store.pace.RateLimitExchange.TakenUnits;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Exchanges taken units over a Redis stream that keeps entries for a few seconds. An entry has the sending process, and
 * units by limit and caller.
 */
final class RedisTakenUnitsStream implements SharedUnits {

    static final String KEY = "lottery:taken-units";

    /** The most entries that are read at once. */
    private static final int ENTRIES_MAX = 200;

    /**
     * The longest time for which units are kept. Older units are of no use, because the caller who took them has
     * already waited long enough.
     */
    private static final Duration KEPT = Duration.ofSeconds(3);

    private static final String PROCESS = "process";

    /**
     * Adds an entry if there are units to send, and returns the entries after the last one that was read. The script
     * also works if the clock of Redis was changed, or if another server has taken over. If the newest entry is in the
     * future, the time of that entry is used; if it is far in the future, the stream is deleted. If the entry that was
     * read last cannot be one of this stream, its id is ignored.
     */
    @SuppressWarnings("rawtypes")
    private static final RedisScript<List> EXCHANGE = RedisScript.of("""
            local function millis(id)
                return tonumber(string.match(id, '^%d+'))
            end
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
            if #newest > 0 and millis(newest[1][1]) > now + ARGV[1] then
                redis.call('DEL', KEYS[1])
            elseif #newest > 0 then
                now = math.max(now, millis(newest[1][1]))
            end
            local oldest = now - ARGV[1]
            local last = ARGV[2]
            local from = string.format('%.0f', oldest)
            if last ~= '' and millis(last) >= oldest and millis(last) <= now then
                from = '(' .. last
            end
            if #ARGV > 5 then
                redis.call('XADD', KEYS[1], 'MINID', string.format('%.0f', oldest), '*', unpack(ARGV, 4))
                redis.call('PEXPIRE', KEYS[1], ARGV[1])
            end
            return redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[3])
            """, List.class);

    private final StringRedisTemplate redis;
    private final Duration kept;
    private final String process = UUID.randomUUID().toString();

    /** The id of the entry that was read last. */
    private String last = "";

    RedisTakenUnitsStream(StringRedisTemplate redis) {
        this(redis, KEPT);
    }

    RedisTakenUnitsStream(StringRedisTemplate redis, Duration kept) {
        this.redis = redis;
        this.kept = kept;
    }

    @Override
    public synchronized List<TakenUnits> exchange(List<TakenUnits> units) {
        List<String> arguments = new ArrayList<>(
                List.of(Long.toString(kept.toMillis()), last, Integer.toString(ENTRIES_MAX), PROCESS, process));
        for (TakenUnits taken : units) {
            arguments.add(taken.limit() + ":" + taken.caller());
            arguments.add(Integer.toString(taken.units()));
        }
        List<?> entries = redis.execute(EXCHANGE, List.of(KEY), arguments.toArray());
        List<TakenUnits> told = new ArrayList<>();
        for (Object entry : entries) {
            List<?> idAndFields = (List<?>) entry;
            last = (String) idAndFields.getFirst();
            told.addAll(told((List<?>) idAndFields.getLast()));
        }
        return told;
    }

    /** Returns the units of an entry; none if this process has sent the entry itself. */
    private List<TakenUnits> told(List<?> fields) {
        if (fields.get(1).equals(process)) {
            return List.of();
        }
        List<TakenUnits> told = new ArrayList<>();
        for (int i = 2; i < fields.size(); i += 2) {
            String name = (String) fields.get(i);
            int colon = name.indexOf(':');
            told.add(new TakenUnits(
                    name.substring(0, colon), name.substring(colon + 1), Integer.parseInt((String) fields.get(i + 1))));
        }
        return told;
    }
}
