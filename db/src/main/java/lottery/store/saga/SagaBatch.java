package lottery.store.saga;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sagas of one unit of work: the rows that were read, and the changes to write at its end. It ends with the unit of
 * work, whether that commits or not.
 */
final class SagaBatch {

    private final Map<SagaKey, Optional<SagaRow>> read = new HashMap<>();
    private final Map<String, SagaKey> places = new HashMap<>();
    private final Map<SagaKey, SagaRowChange> changes = new HashMap<>();
    private boolean awaited;

    boolean knows(SagaKey place) {
        return read.containsKey(place);
    }

    /** Records the rows that were read; the other keys that were asked for have none. */
    void learn(Collection<SagaKey> asked, Collection<SagaRow> rows) {
        asked.forEach(place -> read.putIfAbsent(place, Optional.empty()));
        for (SagaRow row : rows) {
            read.put(row.place(), Optional.of(row));
            places.put(row.sagaId(), row.place());
        }
    }

    /** Returns the saga under a key, including the changes so far. */
    Optional<SagaRow> at(SagaKey place) {
        return switch (changes.get(place)) {
            case null -> read.getOrDefault(place, Optional.empty());
            case SagaRowToDelete ignored -> Optional.empty();
            case SagaRowToUpsert write ->
                Optional.of(new SagaRow(place, write.sagaId(), write.versionRead(), 0, write.state()));
        };
    }

    Optional<SagaRow> withId(String type, String sagaId) {
        return Optional.ofNullable(places.get(sagaId))
                .filter(place -> place.type().equals(type))
                .flatMap(this::at)
                .filter(row -> row.sagaId().equals(sagaId));
    }

    private int versionRead(SagaKey place) {
        return read.getOrDefault(place, Optional.empty()).map(SagaRow::version).orElse(SagaRowChange.NEW);
    }

    void write(SagaKey place, String sagaId, String state, @Nullable Instant dueAt, boolean isStuck) {
        changes.put(place, new SagaRowToUpsert(place, versionRead(place), sagaId, state, dueAt, isStuck));
        places.put(sagaId, place);
    }

    /** Ends a saga. One that was never written need not be deleted. */
    void end(SagaKey place) {
        int version = versionRead(place);
        if (version == SagaRowChange.NEW) {
            changes.remove(place);
        } else {
            changes.put(place, new SagaRowToDelete(place, version));
        }
    }

    @Nullable
    SagaRowChange change(SagaKey place) {
        return changes.get(place);
    }

    void undo(SagaKey place, @Nullable SagaRowChange before) {
        if (before == null) {
            changes.remove(place);
        } else {
            changes.put(place, before);
        }
    }

    List<SagaRowChange> changes() {
        return List.copyOf(changes.values());
    }

    /** Returns true once: the first caller has to arrange that the changes are written. */
    boolean isFirstToWait() {
        boolean first = !awaited;
        awaited = true;
        return first;
    }
}
