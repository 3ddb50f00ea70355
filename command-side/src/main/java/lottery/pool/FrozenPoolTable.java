package lottery.pool;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import lottery.api.activity.ActivityId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The table with the leaves and the order of each frozen pool, in chunks. All rows can be computed from the log. So
 * they can be written again at any time, and every process writes the same rows.
 */
@Component
class FrozenPoolTable implements FrozenLeafReader {

    private static final String LEAVES = """
            INSERT INTO pool_chunk (activity_id, chunk, leaves, root) VALUES (?, ?, ?, ?)
            ON CONFLICT (activity_id, chunk) DO UPDATE SET leaves = excluded.leaves, root = excluded.root""";

    private static final String ORDER =
            "UPDATE pool_chunk SET ranked = ?, places = ?, draw_key = ? WHERE activity_id = ? AND chunk = ?";

    private final JdbcClient database;

    FrozenPoolTable(JdbcClient database) {
        this.database = database;
    }

    void storeLeaves(ActivityId activityId, int chunk, byte[] leaves, byte[] root) {
        database.sql(LEAVES).params(activityId.value(), chunk, leaves, root).update();
    }

    /**
     * Stores the order in both directions: the entry at each place, and the place of each entry.
     *
     * @param drawKey the key from which the order follows
     * @param ranked the numbers of the entries in their order
     */
    void storeOrder(ActivityId activityId, String drawKey, int[] ranked) {
        int[] places = new int[ranked.length];
        for (int i = 0; i < ranked.length; i++) {
            places[ranked[i] - 1] = i + 1;
        }
        for (int from = 0, chunk = 0; from < ranked.length; from += EntryTree.CHUNK, chunk++) {
            int to = Math.min(from + EntryTree.CHUNK, ranked.length);
            int stored = database.sql(ORDER)
                    .params(bytes(ranked, from, to), bytes(places, from, to), drawKey, activityId.value(), chunk)
                    .update();
            if (stored != 1) {
                throw new IllegalStateException("%s has no chunk %d".formatted(activityId, chunk));
            }
        }
    }

    /** Returns whether the stored order follows from this key, in all chunks. */
    boolean isOrderedBy(ActivityId activityId, String drawKey) {
        return database.sql("SELECT NOT EXISTS (SELECT FROM pool_chunk WHERE activity_id = ?"
                        + " AND draw_key IS DISTINCT FROM ?)")
                .params(activityId.value(), drawKey)
                .query(Boolean.class)
                .single();
    }

    private static byte[] bytes(int[] numbers, int from, int to) {
        ByteBuffer bytes = ByteBuffer.allocate((to - from) * Integer.BYTES);
        for (int i = from; i < to; i++) {
            bytes.putInt(numbers[i]);
        }
        return bytes.array();
    }

    /** Passes the leaves of each chunk to the reader, one chunk after the other. */
    void readLeaves(ActivityId activityId, Consumer<byte[]> reader) {
        for (int chunk = 0; ; chunk++) {
            Optional<byte[]> leaves = leaves(activityId, chunk);
            if (leaves.isEmpty()) {
                return;
            }
            reader.accept(leaves.get());
        }
    }

    private Optional<byte[]> leaves(ActivityId activityId, int chunk) {
        return database.sql("SELECT leaves FROM pool_chunk WHERE activity_id = ? AND chunk = ?")
                .params(activityId.value(), chunk)
                .query((row, _) -> row.getBytes(1))
                .optional();
    }

    @Override
    public List<byte[]> leaves(ActivityId activityId, int entryNo, int max) {
        byte[] leaves = database.sql(
                        "SELECT substring(leaves FROM ? FOR ?) FROM pool_chunk WHERE activity_id = ? AND chunk = ?")
                .params(
                        indexIn(entryNo) * EntryTree.HASH + 1,
                        max * EntryTree.HASH,
                        activityId.value(),
                        chunkOf(entryNo))
                .query((row, _) -> row.getBytes(1))
                .optional()
                .orElse(new byte[0]);
        if (leaves.length % EntryTree.HASH != 0) {
            throw new IllegalStateException("%s has %d bytes of leaves".formatted(activityId, leaves.length));
        }
        List<byte[]> list = new ArrayList<>();
        for (int from = 0; from < leaves.length; from += EntryTree.HASH) {
            list.add(Arrays.copyOfRange(leaves, from, from + EntryTree.HASH));
        }
        return list;
    }

    @Override
    public List<byte[]> roots(ActivityId activityId) {
        return database.sql("SELECT root FROM pool_chunk WHERE activity_id = ? ORDER BY chunk")
                .param(activityId.value())
                .query((row, _) -> row.getBytes(1))
                .list();
    }

    /** Returns the place of an entry in the order of the draw. */
    int placeOf(ActivityId activityId, String drawKey, int entryNo) {
        return number("places", activityId, drawKey, entryNo);
    }

    /** Returns the number of the entry at a place. */
    int entryAt(ActivityId activityId, String drawKey, int place) {
        return number("ranked", activityId, drawKey, place);
    }

    /** Returns the numbers of the entries at consecutive places, at most {@code max} of them. */
    List<Integer> entriesFrom(ActivityId activityId, String drawKey, int place, int max) {
        List<Integer> entries = new ArrayList<>();
        int next = place;
        while (entries.size() < max) {
            Optional<byte[]> ranked = ranked(activityId, drawKey, chunkOf(next));
            if (ranked.isEmpty()) {
                return entries;
            }
            ByteBuffer numbers = ByteBuffer.wrap(ranked.get());
            numbers.position(Math.min(indexIn(next) * Integer.BYTES, numbers.limit()));
            if (!numbers.hasRemaining()) {
                return entries;
            }
            while (numbers.hasRemaining() && entries.size() < max) {
                entries.add(numbers.getInt());
                next++;
            }
        }
        return entries;
    }

    private int number(String column, ActivityId activityId, String drawKey, int position) {
        return database.sql("SELECT substring(" + column
                        + " FROM ? FOR 4) FROM pool_chunk WHERE activity_id = ? AND chunk = ? AND draw_key = ?"
                        + " AND " + column + " IS NOT NULL")
                .params(indexIn(position) * Integer.BYTES + 1, activityId.value(), chunkOf(position), drawKey)
                .query((row, _) -> ByteBuffer.wrap(row.getBytes(1)).getInt())
                .optional()
                .orElseThrow(() -> new IllegalStateException(activityId + " has no order"));
    }

    private Optional<byte[]> ranked(ActivityId activityId, String drawKey, int chunk) {
        return database.sql("SELECT ranked FROM pool_chunk WHERE activity_id = ? AND chunk = ? AND draw_key = ?")
                .params(activityId.value(), chunk, drawKey)
                .query((row, _) -> row.getBytes(1))
                .optional();
    }

    private static int chunkOf(int position) {
        return (position - 1) / EntryTree.CHUNK;
    }

    private static int indexIn(int position) {
        return (position - 1) % EntryTree.CHUNK;
    }
}
