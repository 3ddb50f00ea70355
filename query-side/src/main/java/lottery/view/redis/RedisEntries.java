package lottery.view.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Component;

/**
 * Entries in Redis that only move forward, to newer versions. Each entry is a hash under its own key. The hash has a
 * value and its version, or the token of a reader that is about to fill the entry. Each step is one script, so that it
 * is atomic.
 */
@Component
class RedisEntries {

    /**
     * The lifetime of an entry that does not change. After this time the entry is filled again from PostgreSQL. So a
     * wrong entry lives no longer than this.
     */
    static final Duration KEPT = Duration.ofMinutes(10);

    /** The largest value in characters. A larger value is only answered from PostgreSQL. */
    static final int VALUE_MAX = 64 * 1024;

    /** The lifetime of a token, longer than any query. A reader that dies blocks the entry no longer than this. */
    private static final Duration TOKEN_KEPT = Duration.ofSeconds(5);

    private static final String NOTHING = "";

    private static final List<String> FIELDS = List.of("value", "version");

    /** Defines a function that returns the version under a key, or an empty text if the key has no entry. */
    private static final String VERSION_OF = """
            local function version_of(key)
                local version = redis.call('TYPE', key).ok == 'hash' and redis.call('HGET', key, 'version') or ''
                return version:match('^-?%d+$') or ''
            end
            """;

    /**
     * Reads the entries to which these events have to be applied. It drops an entry that lacks an earlier event. It
     * also drops the token of a reader, because that reader may have read a state without the events.
     */
    @SuppressWarnings("rawtypes") // A script knows the class of its answer only.
    private static final RedisScript<List> WAITING = new DefaultRedisScript<>(VERSION_OF + """
            local found = {}
            for i, key in ipairs(KEYS) do
                local version, first, last = version_of(key), tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
                local number = tonumber(version)
                local value = ''
                if not number or number < first - 1 then
                    redis.call('DEL', key)
                elseif number < last then
                    value = redis.call('HGET', key, 'value') or ''
                    if value == '' then
                        redis.call('DEL', key)
                    end
                end
                found[2 * i - 1], found[2 * i] = value, version
            end
            return found
            """, List.class);

    /**
     * Moves entries from the version that was read to a newer one. If the version of an entry has changed since then,
     * and is still older than the new version, the entry is dropped.
     */
    private static final RedisScript<Long> MOVE_ON = new DefaultRedisScript<>(VERSION_OF + """
            local moved = 0
            for i, key in ipairs(KEYS) do
                local from, to, value = ARGV[3 * i - 1], ARGV[3 * i], ARGV[3 * i + 1]
                local version = version_of(key)
                if version == from and value ~= '' then
                    redis.call('HSET', key, 'value', value, 'version', to)
                    redis.call('EXPIRE', key, ARGV[1])
                    moved = moved + 1
                elseif (tonumber(version) or -2) < tonumber(to) then
                    redis.call('DEL', key)
                end
            end
            return moved
            """, Long.class);

    private static final RedisScript<Boolean> RESERVE = new DefaultRedisScript<>("""
            if redis.call('EXISTS', KEYS[1]) == 1 then
                return 0
            end
            redis.call('HSET', KEYS[1], 'token', ARGV[1])
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return 1
            """, Boolean.class);

    private static final RedisScript<Boolean> FILL = new DefaultRedisScript<>("""
            if redis.call('TYPE', KEYS[1]).ok ~= 'hash' or redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
                return 0
            end
            redis.call('DEL', KEYS[1])
            redis.call('HSET', KEYS[1], 'value', ARGV[2], 'version', ARGV[3])
            redis.call('EXPIRE', KEYS[1], ARGV[4])
            return 1
            """, Boolean.class);

    private final StringRedisTemplate redis;

    RedisEntries(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** Returns the value under a key. A key of another type is removed, so that an entry can be stored. */
    Optional<String> find(String key) {
        List<@Nullable String> known;
        try {
            known = redis.<String, @Nullable String>opsForHash().multiGet(key, FIELDS);
        } catch (RedisSystemException refused) {
            drop(key);
            return Optional.empty();
        }
        @Nullable String value = known.get(0);
        @Nullable String version = known.get(1);
        if (value != null && version != null) {
            return Optional.of(value);
        }
        if (value != null || version != null) {
            drop(key);
        }
        return Optional.empty();
    }

    /** Returns the text under a key. A key of another type is removed, so that a text can be stored. */
    Optional<String> text(String key) {
        try {
            return Optional.ofNullable(redis.opsForValue().get(key));
        } catch (RedisSystemException refused) {
            drop(key);
            return Optional.empty();
        }
    }

    /** Stores a text under a key for a while, unless the key exists. Returns whether the text was stored. */
    boolean keep(String key, String text, Duration kept) {
        return text.length() <= VALUE_MAX && isDone(redis.opsForValue().setIfAbsent(key, text, kept));
    }

    void drop(String key) {
        redis.delete(key);
    }

    /**
     * A range of events of one aggregate, which have to be applied to the entry of the aggregate.
     *
     * @param first the sequence number of the oldest event
     * @param last the sequence number of the newest event
     */
    record Events(String key, long first, long last) {}

    /**
     * Returns for each range of events the entry to which the events have to be applied; null if there is no such
     * entry. The entry lacks some of these events, but no earlier events.
     */
    List<@Nullable Versioned<String>> waiting(List<Events> events) {
        Object[] arguments = events.stream()
                .flatMap(one -> List.of(Long.toString(one.first()), Long.toString(one.last())).stream())
                .toArray();
        List<?> found = redis.execute(WAITING, events.stream().map(Events::key).toList(), arguments);
        List<@Nullable Versioned<String>> entries = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            String value = found.get(2 * i).toString();
            entries.add(
                    value.equals(NOTHING)
                            ? null
                            : new Versioned<>(
                                    value, Long.parseLong(found.get(2 * i + 1).toString())));
        }
        return entries;
    }

    /**
     * A change of an entry from one version to a newer one.
     *
     * @param value the new value; null if it is unknown and the entry has to be dropped
     */
    record EntryChange(
            String key, long from, long to, @Nullable String value) {}

    /** Writes all changes at once, and returns how many entries have a newer version now. */
    long moveOn(List<EntryChange> moves) {
        List<String> arguments = new ArrayList<>();
        arguments.add(seconds(KEPT));
        for (EntryChange move : moves) {
            arguments.add(Long.toString(move.from()));
            arguments.add(Long.toString(move.to()));
            arguments.add(move.value() == null || move.value().length() > VALUE_MAX ? NOTHING : move.value());
        }
        return redis.execute(MOVE_ON, moves.stream().map(EntryChange::key).toList(), arguments.toArray());
    }

    /** Reserves a free key for this token, and returns whether it was free. Only this token can fill it. */
    boolean reserve(String key, String token) {
        return isDone(redis.execute(RESERVE, List.of(key), token, seconds(TOKEN_KEPT)));
    }

    /** Fills the key, and returns false if an event of the aggregate came after the reservation. */
    boolean fill(String key, String token, Versioned<String> entry) {
        return entry.value().length() <= VALUE_MAX
                && isDone(redis.execute(
                        FILL, List.of(key), token, entry.value(), Long.toString(entry.version()), seconds(KEPT)));
    }

    private static boolean isDone(@Nullable Boolean answer) {
        return Boolean.TRUE.equals(answer);
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }
}
