package lottery.store.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import lottery.store.projection.RowTable.Stored;
import org.jspecify.annotations.Nullable;

/** What a batch of events does to rows, by their keys. */
final class Changes<K extends Record, R extends Record> {

    private final Map<K, List<Change<R>>> changes = new LinkedHashMap<>();

    private record Change<R>(long position, UnaryOperator<@Nullable R> step) {}

    void add(K key, long position, UnaryOperator<@Nullable R> step) {
        changes.computeIfAbsent(key, ignored -> new ArrayList<>()).add(new Change<>(position, step));
    }

    void writeTo(RowTable<K, R> table) {
        if (changes.isEmpty()) {
            return;
        }
        Map<K, Stored<R>> before = table.read(changes.keySet());
        Map<K, Stored<R>> after = new HashMap<>();
        changes.forEach((key, steps) -> {
            Stored<R> old = before.getOrDefault(key, Stored.none());
            Stored<R> now = evolved(old, steps);
            if (now.position() > old.position()) {
                after.put(key, now);
            }
        });
        table.write(after);
    }

    private static <R> Stored<R> evolved(Stored<R> old, List<Change<R>> steps) {
        @Nullable R row = old.row();
        long position = old.position();
        for (Change<R> change : steps) {
            if (change.position() > old.position()) {
                row = change.step().apply(row);
                position = change.position();
            }
        }
        return new Stored<>(row, position);
    }
}
