package lottery.store.projection;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import lottery.store.projection.RowTable.StoredRow;

/** Keeps the rows that a replay wrote last, so that the replay need not read them if they soon change again. */
final class ReplayRowCache {

    /** The most rows of one projection; they take a few dozen megabytes. */
    private static final int ROWS_MAX = 100_000;

    private final Map<Projection<?, ?>, LatestRows<?, ?>> rows = new HashMap<>();

    private static final class LatestRows<K, V> extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1;

        LatestRows() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > ROWS_MAX;
        }
    }

    @SuppressWarnings("unchecked") // Each projection was stored with rows of its own type.
    <K extends Record, R extends Record> Map<K, StoredRow<R>> of(Projection<K, R> projection) {
        return (Map<K, StoredRow<R>>) rows.computeIfAbsent(projection, ignored -> new LatestRows<K, StoredRow<R>>());
    }

    void forget() {
        rows.clear();
    }
}
