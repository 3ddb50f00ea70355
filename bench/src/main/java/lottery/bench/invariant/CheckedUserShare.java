package lottery.bench.invariant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * A share of the users, so that only the state of these users has to fit into memory. The number of a user's shard,
 * divided by the number of shares, leaves a remainder: this is the number of the share. Each id that belongs to a user
 * contains the shard, for example {@code order:2a-…}. An id without a shard belongs to the first share, so that no id
 * is left out.
 */
public record CheckedUserShare(int number, int of) {

    public static final int MOST = 64;

    private static final String SHARD = "%02x";

    public static List<CheckedUserShare> all(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new CheckedUserShare(number, count))
                .toList();
    }

    /** Returns a SQL condition that is true if the id in this column belongs to this share. */
    public String sql(String column) {
        if (of == 1) {
            return "true";
        }
        boolean first = number == 0;
        String shards = IntStream.range(0, MOST)
                .filter(shard -> first != isHere(shard))
                .mapToObj(shard -> "'" + SHARD.formatted(shard) + "'")
                .collect(Collectors.joining(", "));
        return "left(split_part(%s, ':', 2), 2) %s (%s)".formatted(column, first ? "NOT IN" : "IN", shards);
    }

    public boolean has(String user) {
        return isHere(shardOf(user));
    }

    /** Returns the shard of a user in the form that ids contain. */
    public static String homeOf(String user) {
        return SHARD.formatted(shardOf(user));
    }

    private static int shardOf(String user) {
        CRC32 hash = new CRC32();
        hash.update(user.getBytes(UTF_8));
        return (int) (hash.getValue() % MOST);
    }

    private boolean isHere(int shard) {
        return shard % of == number;
    }
}
