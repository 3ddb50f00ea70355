package lottery.store.saga;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sagas of one unit of work: the rows that were read, and the changes to write at its end. The batch is discarded
 * when the unit of work ends, with or without a commit.
 */
final class SagaBatch {

    private final Map<SagaKey, Optional<SagaRow>> read = new HashMap<>();
    private final Map<String, SagaKey> places = new HashMap<>();
    private final Map<SagaKey, SagaRowChange> changes = new HashMap<>();
    private boolean awaited;

    boolean knows(SagaKey sagaKey) {
        return read.containsKey(sagaKey);
    }

    /** Records the rows that were read. The other requested keys have no row. */
    void learn(Collection<SagaKey> asked, Collection<SagaRow> rows) {
        asked.forEach(sagaKey -> read.putIfAbsent(sagaKey, Optional.empty()));
        for (SagaRow row : rows) {
            read.put(row.sagaKey(), Optional.of(row));
            places.put(row.sagaId(), row.sagaKey());
        }
    }

    /** Returns the saga under a key, including the changes so far. */
    Optional<SagaRow> at(SagaKey sagaKey) {
        return switch (changes.get(sagaKey)) {
            case null -> read.getOrDefault(sagaKey, Optional.empty());
            case SagaRowToDelete ignored -> Optional.empty();
            case SagaRowToUpsert write ->
                Optional.of(new SagaRow(sagaKey, write.sagaId(), write.versionRead(), 0, write.state()));
        };
    }

    Optional<SagaRow> withId(String type, String sagaId) {
        return Optional.ofNullable(places.get(sagaId))
                .filter(sagaKey -> sagaKey.type().equals(type))
                .flatMap(this::at)
                .filter(row -> row.sagaId().equals(sagaId));
    }

    private int versionRead(SagaKey sagaKey) {
        return read.getOrDefault(sagaKey, Optional.empty())
                .map(SagaRow::version)
                .orElse(SagaRowChange.NEW);
    }

    void write(SagaKey sagaKey, String sagaId, String state, @Nullable Instant dueAt, boolean isStuck) {
        changes.put(sagaKey, new SagaRowToUpsert(sagaKey, versionRead(sagaKey), sagaId, state, dueAt, isStuck));
        places.put(sagaId, sagaKey);
    }

    /** Ends a saga. A saga that was never written need not be deleted. */
    void end(SagaKey sagaKey) {
        int version = versionRead(sagaKey);
        if (version == SagaRowChange.NEW) {
            changes.remove(sagaKey);
        } else {
            changes.put(sagaKey, new SagaRowToDelete(sagaKey, version));
        }
    }

    @Nullable
    SagaRowChange change(SagaKey sagaKey) {
        return changes.get(sagaKey);
    }

    void undo(SagaKey sagaKey, @Nullable SagaRowChange before) {
        if (before == null) {
            changes.remove(sagaKey);
        } else {
            changes.put(sagaKey, before);
        }
    }

    List<SagaRowChange> changes() {
        return List.copyOf(changes.values());
    }

    /** Returns true at the first call only: the first caller has to arrange that the changes are written. */
    boolean isFirstToWait() {
        boolean first = !awaited;
        awaited = true;
        return first;
    }
}
