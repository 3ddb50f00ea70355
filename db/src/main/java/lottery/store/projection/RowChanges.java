package lottery.store.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import lottery.store.projection.RowTable.StoredRow;
import org.jspecify.annotations.Nullable;

/** Gathers the changes of rows that a batch of events makes, by the keys of the rows. */
final class RowChanges<K extends Record, R extends Record> {

    private final Map<K, List<Change<R>>> changes = new LinkedHashMap<>();

    private record Change<R>(long position, UnaryOperator<@Nullable R> step, boolean begins) {}

    /**
     * Adds a change of a row.
     *
     * @param begins whether the old row need not be read
     */
    void add(K key, long position, UnaryOperator<@Nullable R> step, boolean begins) {
        changes.computeIfAbsent(key, ignored -> new ArrayList<>()).add(new Change<>(position, step, begins));
    }

    void writeTo(RowTable<K, R> table) {
        writeTo(table, new HashMap<>());
    }

    /**
     * Writes the changes to a table.
     *
     * @param known rows whose state in the table is known, and which need not be read; the rows that this method writes
     *     are added
     */
    void writeTo(RowTable<K, R> table, Map<K, StoredRow<R>> known) {
        Map<K, StoredRow<R>> before = read(table, known);
        Map<K, StoredRow<R>> after = new HashMap<>();
        changes.forEach((key, steps) -> {
            StoredRow<R> old = before.getOrDefault(key, StoredRow.none());
            StoredRow<R> now = evolved(old, steps);
            if (now.position() > old.position()) {
                after.put(key, now);
            }
        });
        table.write(after);
        known.putAll(after);
    }

    private Map<K, StoredRow<R>> read(RowTable<K, R> table, Map<K, StoredRow<R>> known) {
        Map<K, StoredRow<R>> before = new HashMap<>();
        List<K> asked = new ArrayList<>();
        changes.forEach((key, steps) -> {
            StoredRow<R> row = known.get(key);
            if (row != null) {
                before.put(key, row);
            } else if (!steps.getFirst().begins()) {
                asked.add(key);
            }
        });
        if (!asked.isEmpty()) {
            before.putAll(table.read(asked));
        }
        return before;
    }

    private static <R> StoredRow<R> evolved(StoredRow<R> old, List<Change<R>> steps) {
        @Nullable R row = old.row();
        long position = old.position();
        for (Change<R> change : steps) {
            if (change.position() > old.position()) {
                row = change.step().apply(row);
                position = change.position();
            }
        }
        return new StoredRow<>(row, position);
    }
}
