package lottery.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The key in an id of something that belongs to a user, for example an order. It follows the prefix of the id, and has
 * the user's {@link UserShard} and a UUID. The same facts, for example a request's key, always give the same UUID. So a
 * repeated request is recognized.
 */
public record ShardedUuid(String value) {

    /** Stands for the shard in a key of something that belongs to no user. */
    private static final String NO_USER = "ff";

    private static final Pattern SHAPE =
            Pattern.compile("(?:[0-3][0-9a-f]|ff)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    public ShardedUuid {
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("not a key of a user: shard, hyphen, UUID expected");
        }
    }

    /** Derives a key from facts. It is the first 128 bits of their SHA-256, as a UUID of version 8. */
    public static ShardedUuid derived(UserId user, String... facts) {
        return of(user, hashed(user.value(), facts));
    }

    /** Derives a key of something that belongs to no user. */
    public static ShardedUuid ofNoUser(String subject, String... facts) {
        return new ShardedUuid(NO_USER + "-" + hashed(subject, facts));
    }

    private static UUID hashed(String first, String... facts) {
        MessageDigest digest = Sha256.digest();
        digest.update(first.getBytes(UTF_8));
        for (String fact : facts) {
            digest.update((byte) 0); // No fact contains it, so that "a","bc" and "ab","c" differ.
            digest.update(fact.getBytes(UTF_8));
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return uuid(hash.getLong(), hash.getLong(), 8);
    }

    /**
     * Creates a key for a request that came without an idempotency key. It is a UUID of version 7, so such keys are
     * ordered by time.
     */
    public static ShardedUuid fresh(UserId user, Instant now, RandomGenerator random) {
        return of(user, uuid((now.toEpochMilli() << 16) | random.nextInt(1 << 16), random.nextLong(), 7));
    }

    private static ShardedUuid of(UserId user, UUID uuid) {
        return new ShardedUuid(UserShard.of(user) + "-" + uuid);
    }

    private static UUID uuid(long high, long low, int version) {
        return new UUID((high & ~0xF000L) | ((long) version << 12), (low & ~(0b11L << 62)) | (0b10L << 62));
    }

    /** Returns the key in the text of an id, which must begin with this prefix. */
    public static ShardedUuid after(String prefix, String text) {
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException("expected an id that begins with " + prefix);
        }
        return new ShardedUuid(text.substring(prefix.length()));
    }

    @Override
    public String toString() {
        return value;
    }
}
