package lottery.stock;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import lottery.api.StockLimit;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.GenericToStringSerializer;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.data.redis.serializer.StringRedisSerializer;
import org.springframework.stereotype.Component;

/**
 * The stocks in Redis. Each step is one script, so that it is atomic. A stock has these keys:
 *
 * <ul>
 *   <li>A bitmap shows the taken units. Writes of other programs can make the bitmap wrong, but the claims decide.
 *   <li>A hash holds the reservations, which are units whose holders are not known to be committed.
 *   <li>A sorted set holds the time of each reservation.
 *   <li>While a process loads the stock, a key holds the token of the process.
 * </ul>
 */
@Component
class RedisStockStore {

    /** The key of a set with the names of the stocks that may have reservations. */
    static final String KNOWN = "lottery:stocks";

    private static final String PROBE = "lottery:stock-probe";

    /**
     * The lifetime of a bitmap, and so of a mistake in it. After this time a stock in use is loaded again, and an
     * unused stock disappears.
     */
    private static final Duration TAKEN_KEPT = Duration.ofDays(1);

    /**
     * The lifetime of the token of a load. It is longer than a read of a million claims takes. If a process dies during
     * its load, it blocks the loads of other processes no longer than this time.
     */
    private static final Duration LOADING_MAX = Duration.ofSeconds(10);

    private static final Duration PROBE_KEPT = Duration.ofSeconds(10);

    private static final int NAMES_PER_PAGE = 100;

    /** The most names of stocks that are read. A set with more names was filled by another program. */
    private static final int KNOWN_MAX = 100_000;

    /**
     * Defines a function that reads a unit from a value of the hash. The value is negative if two attempts share the
     * unit. For a value that is no unit, the function returns 0.
     */
    private static final String UNIT_OF = """
            local function unit_of(value)
                local unit = math.abs(tonumber(value or '') or 0)
                return unit >= 1 and unit <= UNITS_MAX and unit % 1 == 0 and unit or 0
            end
            """.replace("UNITS_MAX", Integer.toString(StockLimit.UNITS_MAX));

    /** The answers of the script {@code RESERVE} if it reserves no unit. */
    private static final long SOLD_OUT = 0;

    private static final long NOT_LOADED = -1;

    private static final RedisScript<Long> RESERVE = script(UNIT_OF + """
            local taken, reserved, since = KEYS[1], KEYS[2], KEYS[3]
            local holder, total, now = ARGV[1], tonumber(ARGV[2]), ARGV[3]
            local unit = unit_of(redis.call('HGET', reserved, holder))
            if redis.call('EXISTS', taken) == 0 then
                return -1
            end
            if unit >= 1 and unit <= total then
                -- Two attempts of one order share it from now on. If one of them fails, the other may not.
                redis.call('HSET', reserved, holder, -unit)
            else
                if redis.call('BITCOUNT', taken) >= total then
                    return 0
                end
                -- Fewer bits are set than there are units, so that one of these is free.
                unit = math.max(redis.call('BITPOS', taken, 0), 0) + 1
                redis.call('HSET', reserved, holder, unit)
            end
            redis.call('SETBIT', taken, unit - 1, 1)
            redis.call('ZADD', since, now, holder)
            return unit
            """, Long.class);

    /** Frees a unit after its commit has certainly failed. */
    private static final RedisScript<Long> RELEASE = script("""
            local taken, reserved, since = KEYS[1], KEYS[2], KEYS[3]
            local holder, unit = ARGV[1], ARGV[2]
            if redis.call('HGET', reserved, holder) ~= unit then
                return 0
            end
            redis.call('HDEL', reserved, holder)
            redis.call('ZREM', since, holder)
            if redis.call('EXISTS', taken) == 1 then
                redis.call('SETBIT', taken, unit - 1, 0)
            end
            return 1
            """, Long.class);

    /**
     * Removes the reservations of claimed units. During a load it removes none: the load may have read the claims
     * before these units were claimed. Without their reservations, the load would store these units as free.
     */
    private static final RedisScript<Long> SETTLE = script(UNIT_OF + """
            local reserved, since, loading = KEYS[1], KEYS[2], KEYS[3]
            if redis.call('EXISTS', loading) == 1 then
                return 0
            end
            for i = 1, #ARGV, 2 do
                if unit_of(redis.call('HGET', reserved, ARGV[i])) == tonumber(ARGV[i + 1]) then
                    redis.call('HDEL', reserved, ARGV[i])
                    redis.call('ZREM', since, ARGV[i])
                end
            end
            return 1
            """, Long.class);

    /**
     * Removes the reservation of a holder whose unit was claimed by another holder. Otherwise the holder's next attempt
     * would get the same unit again.
     */
    private static final RedisScript<Long> FORGET = script("""
            redis.call('HDEL', KEYS[1], ARGV[1])
            return redis.call('ZREM', KEYS[2], ARGV[1])
            """, Long.class);

    /**
     * Reserves a unit that is given back. The reservation has a holder of its own, and lasts until the unit is known to
     * be free.
     */
    private static final RedisScript<Long> HOLD = script("""
            redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
            return redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
            """, Long.class);

    /**
     * Frees units that nobody has claimed. It also ends a running load. This load may have read a claim that no longer
     * exists, so it has to begin again.
     */
    private static final RedisScript<Long> FREE = script(UNIT_OF + """
            local taken, reserved, since, loading = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
            local before = tonumber(ARGV[1])
            local freed = 0
            for i = 2, #ARGV, 2 do
                local unit = tonumber(ARGV[i + 1])
                local at = tonumber(redis.call('ZSCORE', since, ARGV[i]) or '') or 0
                if unit_of(redis.call('HGET', reserved, ARGV[i])) == unit and at <= before then
                    redis.call('HDEL', reserved, ARGV[i])
                    redis.call('ZREM', since, ARGV[i])
                    if unit > 0 and redis.call('EXISTS', taken) == 1 then
                        redis.call('SETBIT', taken, unit - 1, 0)
                    end
                    freed = freed + 1
                end
            end
            if freed > 0 then
                redis.call('DEL', loading)
            end
            return freed
            """, Long.class);

    /**
     * Finds overdue reservations. A reservation without a time gets the current time as its time, so it becomes overdue
     * later.
     */
    @SuppressWarnings("rawtypes") // A script knows the class of its answer only.
    private static final RedisScript<List> OVERDUE = script(UNIT_OF + """
            local reserved, since = KEYS[1], KEYS[2]
            if redis.call('HLEN', reserved) ~= redis.call('ZCARD', since) then
                for _, holder in ipairs(redis.call('HKEYS', reserved)) do
                    redis.call('ZADD', since, 'NX', ARGV[2], holder)
                end
            end
            local found = {}
            for _, holder in ipairs(redis.call('ZRANGEBYSCORE', since, '-inf', ARGV[1], 'LIMIT', ARGV[3], ARGV[4])) do
                table.insert(found, holder)
                table.insert(found, tostring(unit_of(redis.call('HGET', reserved, holder))))
            end
            return found
            """, List.class);

    /**
     * Stores the claims that a load has read, if the token of the load still exists. If it does not, the claims may
     * have changed since they were read.
     */
    private static final RedisScript<Long> STORE = script(UNIT_OF + """
            local taken, reserved, loading = KEYS[1], KEYS[2], KEYS[3]
            if redis.call('GET', loading) ~= ARGV[1] then
                return 0
            end
            local held = redis.call('HVALS', reserved)
            redis.call('SET', taken, ARGV[2], 'EX', ARGV[3])
            for _, value in ipairs(held) do
                local unit = unit_of(value)
                if unit > 0 then
                    redis.call('SETBIT', taken, unit - 1, 1)
                end
            end
            redis.call('DEL', loading)
            return 1
            """, Long.class);

    @SuppressWarnings("rawtypes") // A script knows the class of its answer only.
    private static final RedisScript<List> CONTENTS = script("""
            local taken, reserved = KEYS[1], KEYS[2]
            return {redis.call('EXISTS', taken), redis.call('BITCOUNT', taken), redis.call('HLEN', reserved)}
            """, List.class);

    /**
     * Removes the keys of a stock if one of them has the wrong type, unless another process has repaired them already.
     */
    private static final RedisScript<Long> HEAL = script("""
            for i, key in ipairs(KEYS) do
                local type = redis.call('TYPE', key)['ok']
                if type ~= 'none' and type ~= ARGV[i] then
                    return redis.call('UNLINK', unpack(KEYS))
                end
            end
            return 0
            """, Long.class);

    /** The types of a stock's keys, in the order of {@link #keys}. */
    private static final String[] TYPES = {"string", "hash", "zset", "string"};

    private static final RedisSerializer<Long> NUMBER = new GenericToStringSerializer<>(Long.class);

    /** The answer to the request for a unit. */
    sealed interface UnitOffer {}

    record OfferedUnit(int number) implements UnitOffer {}

    record SoldOut() implements UnitOffer {}

    record NotLoaded() implements UnitOffer {}

    /** A unit that is reserved for a holder. It is not known whether the holder has committed. */
    record Reservation(String holder, int unit) {}

    /** @param taken the taken units, the reserved ones included */
    record RedisStockContents(boolean isLoaded, long taken, long reserved) {}

    private final StringRedisTemplate redis;

    RedisStockStore(StringRedisTemplate redis) {
        this.redis = redis;
    }

    private static <T> RedisScript<T> script(String lua, Class<T> answer) {
        return new DefaultRedisScript<>(lua, answer);
    }

    static String taken(String scope) {
        return key(scope, "taken");
    }

    static String reserved(String scope) {
        return key(scope, "reserved");
    }

    static String since(String scope) {
        return key(scope, "since");
    }

    static String loading(String scope) {
        return key(scope, "loading");
    }

    /**
     * Returns the name of a key. A cluster places a key by the part in braces, so that all keys of a stock are
     * together.
     */
    private static String key(String scope, String part) {
        return "lottery:stock:{" + scope + "}:" + part;
    }

    /** Reserves a unit for a holder. If the holder has a reserved unit already, it gets the same unit again. */
    UnitOffer reserve(String scope, String holder, int total, Instant now) throws RedisUnavailableException {
        long answer = run(
                scope,
                RESERVE,
                List.of(taken(scope), reserved(scope), since(scope)),
                holder,
                Integer.toString(total),
                millis(now));
        if (answer == NOT_LOADED) {
            return new NotLoaded();
        }
        return answer == SOLD_OUT ? new SoldOut() : new OfferedUnit(Math.toIntExact(answer));
    }

    void release(String scope, Reservation reservation) throws RedisUnavailableException {
        run(
                scope,
                RELEASE,
                List.of(taken(scope), reserved(scope), since(scope)),
                reservation.holder(),
                Integer.toString(reservation.unit()));
    }

    /** Removes the reservations of claimed units, and returns whether that was possible now. */
    boolean settle(String scope, Collection<Reservation> claimed) throws RedisUnavailableException {
        List<Object> arguments = new ArrayList<>();
        claimed.forEach(each -> add(arguments, each));
        return run(scope, SETTLE, List.of(reserved(scope), since(scope), loading(scope)), arguments.toArray()) == 1;
    }

    void forget(String scope, String holder) throws RedisUnavailableException {
        run(scope, FORGET, List.of(reserved(scope), since(scope)), holder);
    }

    void hold(String scope, Reservation reservation, Instant now) throws RedisUnavailableException {
        run(
                scope,
                HOLD,
                List.of(reserved(scope), since(scope)),
                reservation.holder(),
                Integer.toString(reservation.unit()),
                millis(now));
    }

    /**
     * Frees the units that are still reserved and were reserved at the given time or before it. Returns how many were
     * freed.
     */
    long free(String scope, Collection<Reservation> unclaimed, Instant before) throws RedisUnavailableException {
        List<Object> arguments = new ArrayList<>(List.of(millis(before)));
        unclaimed.forEach(each -> add(arguments, each));
        return run(
                scope, FREE, List.of(taken(scope), reserved(scope), since(scope), loading(scope)), arguments.toArray());
    }

    private static void add(List<Object> arguments, Reservation reservation) {
        arguments.add(reservation.holder());
        arguments.add(Integer.toString(reservation.unit()));
    }

    List<Reservation> overdue(String scope, Instant before, Instant now, int offset, int most)
            throws RedisUnavailableException {
        List<?> found = run(
                scope,
                OVERDUE,
                List.of(reserved(scope), since(scope)),
                millis(before),
                millis(now),
                Integer.toString(offset),
                Integer.toString(most));
        List<Reservation> overdue = new ArrayList<>();
        for (int i = 0; i < found.size(); i += 2) {
            overdue.add(new Reservation((String) found.get(i), Integer.parseInt((String) found.get(i + 1))));
        }
        return overdue;
    }

    RedisStockContents contents(String scope) throws RedisUnavailableException {
        List<?> answer = run(scope, CONTENTS, List.of(taken(scope), reserved(scope)));
        return new RedisStockContents((Long) answer.get(0) == 1, (Long) answer.get(1), (Long) answer.get(2));
    }

    /** Begins to load a stock. Returns false if another process is loading it. */
    boolean beginLoading(String scope, String token) throws RedisUnavailableException {
        return ask(() -> Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(loading(scope), token, LOADING_MAX)));
    }

    boolean isLoading(String scope) throws RedisUnavailableException {
        return ask(() -> redis.hasKey(loading(scope)));
    }

    /** Stores the claimed and the reserved units as taken. Returns false if the token is gone. */
    boolean store(String scope, String token, BitSet claimed) throws RedisUnavailableException {
        boolean isStored = healing(
                () -> Objects.requireNonNull(redis.execute(
                                STORE,
                                StringRedisSerializer.ISO_8859_1,
                                NUMBER,
                                List.of(taken(scope), reserved(scope), loading(scope)),
                                token,
                                bitmap(claimed),
                                Long.toString(TAKEN_KEPT.toSeconds())))
                        == 1,
                keys(scope),
                TYPES);
        if (isStored) {
            remember(List.of(scope));
        }
        return isStored;
    }

    /** Encodes units as a bitmap, in a string with one character for each byte. The bitmap has at least one byte. */
    private static String bitmap(BitSet claimed) {
        byte[] bits = new byte[Math.max(claimed.length() - 1, 1) / Byte.SIZE + 1];
        claimed.stream().forEach(unit -> bits[(unit - 1) / Byte.SIZE] |= (byte) (0x80 >> ((unit - 1) % Byte.SIZE)));
        return new String(bits, StandardCharsets.ISO_8859_1);
    }

    /** Records that these stocks may have reservations. */
    void remember(Collection<String> scopes) throws RedisUnavailableException {
        if (!scopes.isEmpty()) {
            healing(() -> redis.opsForSet().add(KNOWN, scopes.toArray(String[]::new)), List.of(KNOWN), "set");
        }
    }

    List<String> remembered() throws RedisUnavailableException {
        return healing(
                () -> {
                    ScanOptions pages =
                            ScanOptions.scanOptions().count(NAMES_PER_PAGE).build();
                    try (Cursor<String> names = redis.opsForSet().scan(KNOWN, pages)) {
                        return names.stream().distinct().limit(KNOWN_MAX).toList();
                    }
                },
                List.of(KNOWN),
                "set");
    }

    /** Removes a stock that has no bitmap and no reservations. */
    void forget(String scope) throws RedisUnavailableException {
        healing(() -> redis.opsForSet().remove(KNOWN, scope), List.of(KNOWN), "set");
    }

    /**
     * Tests Redis with a write. So the test also fails if Redis answers but refuses writes, for example because it is
     * full or is a replica.
     */
    void probe() throws RedisUnavailableException {
        ask(() -> {
            redis.opsForValue().set(PROBE, "1", PROBE_KEPT);
            return true;
        });
    }

    private <T> T run(String scope, RedisScript<T> script, List<String> keys, Object... arguments)
            throws RedisUnavailableException {
        return healing(() -> Objects.requireNonNull(redis.execute(script, keys, arguments)), keys(scope), TYPES);
    }

    private static List<String> keys(String scope) {
        return List.of(taken(scope), reserved(scope), since(scope), loading(scope));
    }

    /**
     * Runs a script. If a key has the wrong type, all keys of the stock are removed as a repair, and the script is run
     * once more.
     */
    private <T> T healing(Supplier<T> question, List<String> keys, String... types) throws RedisUnavailableException {
        try {
            return ask(question);
        } catch (RedisUnavailableException away) {
            String cause = NestedExceptionUtils.getMostSpecificCause(away).getMessage();
            if (cause == null || !cause.contains("WRONGTYPE")) {
                throw away;
            }
            ask(() -> redis.execute(HEAL, keys, (Object[]) types));
            return ask(question);
        }
    }

    private static <T> T ask(Supplier<T> question) throws RedisUnavailableException {
        try {
            return question.get();
        } catch (RuntimeException e) {
            throw new RedisUnavailableException(e);
        }
    }

    private static String millis(Instant time) {
        return Long.toString(time.toEpochMilli());
    }
}
