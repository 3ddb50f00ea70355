package lottery.store.saga;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sagas of one unit of work: what was read, and what is to be written at its end. It is gone with the unit of work,
 * whichever end that has.
 */
final class Gathered {

    private final Map<Place, Optional<Row>> read = new HashMap<>();
    private final Map<String, Place> places = new HashMap<>();
    private final Map<Place, Change> changes = new HashMap<>();
    private boolean awaited;

    boolean knows(Place place) {
        return read.containsKey(place);
    }

    /** That these are all there is at those places. */
    void learn(Collection<Place> asked, Collection<Row> rows) {
        asked.forEach(place -> read.putIfAbsent(place, Optional.empty()));
        for (Row row : rows) {
            read.put(row.place(), Optional.of(row));
            places.put(row.sagaId(), row.place());
        }
    }

    /** What is at a place now, the changes so far included. */
    Optional<Row> at(Place place) {
        return switch (changes.get(place)) {
            case null -> read.getOrDefault(place, Optional.empty());
            case End ignored -> Optional.empty();
            case Write write -> Optional.of(new Row(place, write.sagaId(), write.versionRead(), 0, write.state()));
        };
    }

    Optional<Row> withId(String type, String sagaId) {
        return Optional.ofNullable(places.get(sagaId))
                .filter(place -> place.type().equals(type))
                .flatMap(this::at)
                .filter(row -> row.sagaId().equals(sagaId));
    }

    private int versionRead(Place place) {
        return read.getOrDefault(place, Optional.empty()).map(Row::version).orElse(Change.NEW);
    }

    void write(Place place, String sagaId, String state, @Nullable Instant dueAt) {
        changes.put(place, new Write(place, versionRead(place), sagaId, state, dueAt));
        places.put(sagaId, place);
    }

    /** What was never written need not be deleted. */
    void end(Place place) {
        int version = versionRead(place);
        if (version == Change.NEW) {
            changes.remove(place);
        } else {
            changes.put(place, new End(place, version));
        }
    }

    @Nullable
    Change change(Place place) {
        return changes.get(place);
    }

    void undo(Place place, @Nullable Change before) {
        if (before == null) {
            changes.remove(place);
        } else {
            changes.put(place, before);
        }
    }

    List<Change> changes() {
        return List.copyOf(changes.values());
    }

    /** True once: whoever asks first sees to it that the changes are written. */
    boolean isFirstToWait() {
        boolean first = !awaited;
        awaited = true;
        return first;
    }
}
