package lottery.store.projection;

import java.time.Instant;
import lottery.store.Parcel.ParcelEvent;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.projection.ParcelPlaces.ParcelKey;
import lottery.store.projection.ParcelPlaces.Whereabouts;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.Timestamp;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/** A read model of where each parcel is. A parcel that was sent to nowhere is forgotten. */
@ProcessingGroup(ParcelPlaces.PROCESSOR)
class ParcelPlaces extends Projection<ParcelKey, Whereabouts> {

    static final String PROCESSOR = "places";

    record ParcelKey(String parcel) {}

    record Whereabouts(
            ParcelCourse course,
            @Nullable ParcelKind kind,
            @Nullable Boolean fragile,
            Instant firstSeen) {}

    record ParcelCourse(String place, int moves) {}

    enum ParcelKind {
        ROUND,
        SQUARE;

        @Override
        public String toString() {
            return "a " + name() + " one";
        }
    }

    private volatile @Nullable String unbearable;

    ParcelPlaces(JdbcOperations database) {
        super(database, "parcel_place", ParcelKey.class, Whereabouts.class);
    }

    @EventHandler
    void on(ParcelEvent event, @Timestamp Instant at) {
        ParcelKey key = new ParcelKey(event.parcel());
        if (event instanceof ParcelSent sent && sent.from() != null) {
            writeFirst(key, new Whereabouts(new ParcelCourse(sent.from(), 0), ParcelKind.SQUARE, null, at));
        } else {
            change(key, whereabouts -> after(event, whereabouts, at));
        }
    }

    /** Makes it fail at each parcel that is moved to this place from now on; null: it does not fail. */
    void cannotBear(@Nullable String place) {
        unbearable = place;
    }

    private @Nullable Whereabouts after(ParcelEvent event, @Nullable Whereabouts before, Instant at) {
        return switch (event) {
            case ParcelSent _ -> null;
            case ParcelMoved moved
            when moved.to().equals(unbearable) -> throw new IllegalStateException("nobody can bear " + moved.to());
            case ParcelMoved moved ->
                before == null
                        ? new Whereabouts(new ParcelCourse(moved.to(), 1), ParcelKind.ROUND, true, at)
                        : new Whereabouts(
                                new ParcelCourse(moved.to(), before.course().moves() + 1),
                                before.kind(),
                                before.fragile(),
                                before.firstSeen());
        };
    }
}
