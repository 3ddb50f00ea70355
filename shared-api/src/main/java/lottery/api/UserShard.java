package lottery.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The logical shard of a user, which is part of each id of the user. If one database is no longer enough, the users can
 * be divided among several databases by their shards, so that all data of a user is in one database. The shard of a
 * user never changes. It is the CRC-32 of the id's UTF-8 bytes, modulo 64, so any language can compute it.
 */
public record UserShard(int number) {

    public static final int COUNT = 64;

    /** The families of aggregates that belong to users, by the beginnings of their ids. */
    private static final Set<String> OF_USERS = Set.of(
            "account",
            "award",
            "behaviour",
            "credit",
            "entitlement",
            "order",
            "payment",
            "person",
            "proposal",
            "rebates",
            "recharge",
            "sign-in");

    public UserShard {
        if (number < 0 || number >= COUNT) {
            throw new IllegalArgumentException("no shard " + number);
        }
    }

    public static UserShard of(UserId user) {
        CRC32 hash = new CRC32();
        hash.update(user.value().getBytes(UTF_8));
        return new UserShard((int) (hash.getValue() % COUNT));
    }

    /**
     * Returns the shard in the id of an aggregate that belongs to a user; empty for what belongs to no user, and for
     * bans. Each process follows these in the home log.
     */
    public static OptionalInt ofAggregate(String aggregateId) {
        int family = aggregateId.indexOf(':');
        if (family < 0
                || aggregateId.length() < family + 3
                || !OF_USERS.contains(aggregateId.substring(0, family))
                || !HexFormat.isHexDigit(aggregateId.charAt(family + 1))
                || !HexFormat.isHexDigit(aggregateId.charAt(family + 2))) {
            return OptionalInt.empty();
        }
        int shard = HexFormat.fromHexDigits(aggregateId, family + 1, family + 3);
        return shard < COUNT ? OptionalInt.of(shard) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits((byte) number);
    }
}
