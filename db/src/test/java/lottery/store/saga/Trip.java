package lottery.store.saga;

import java.time.Instant;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.SagaLifecycle;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/** A saga of a parcel under way, which is searched for when it is late. */
@Saga
@ProcessingGroup("trips")
public class Trip implements SagaWithDueTime {

    /** Begins a trip. */
    public record Posted(String parcel, @Nullable Instant lateFrom) {}

    /** Changes it. */
    public record Seen(String parcel) {}

    /** Leaves it as it is. */
    public record Weighed(String parcel) {}

    /** Fails it. */
    public record Dropped(String parcel) {}

    /** Ends it. */
    public record Delivered(String parcel) {}

    private String parcel = "";

    @SuppressWarnings("unused") // Kept in the store, where the tests look at it.
    private int seen;

    private int searches;

    private @Nullable Instant lateFrom;

    public Trip() {}

    @Override
    public @Nullable Instant dueAt() {
        return lateFrom;
    }

    @Override
    public int attempts() {
        return lateFrom == null ? 0 : searches;
    }

    @StartSaga
    @SagaEventHandler(associationProperty = "parcel")
    void on(Posted posted) {
        parcel = posted.parcel();
        lateFrom = posted.lateFrom();
    }

    @SagaEventHandler(associationProperty = "parcel")
    void on(Seen ignored, Search search) {
        seen++;
        search.seen(parcel);
    }

    @SagaEventHandler(associationProperty = "parcel")
    void on(Weighed ignored) {}

    @SagaEventHandler(associationProperty = "parcel")
    void on(Dropped dropped) {
        throw new IllegalStateException("broken: " + dropped.parcel());
    }

    @EndSaga
    @SagaEventHandler(associationProperty = "parcel")
    void on(Delivered ignored) {}

    @SagaDueHandler
    void search(Instant now, Search search) {
        searches++;
        switch (search.of(parcel)) {
            case GIVEN_UP -> SagaLifecycle.end();
            case GOES_ON -> lateFrom = now;
            case DONE -> lateFrom = null;
        }
    }
}
