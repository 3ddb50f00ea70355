package lottery.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.trace.TraceId;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.ResetHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A simple read model, which fails after it has written for as long as a test wants it to. */
@ProcessingGroup(Arrivals.PROCESSOR)
class Arrivals {

    static final String PROCESSOR = "arrivals";

    private final JdbcClient database;
    private final AtomicInteger failures = new AtomicInteger();
    private final Set<String> unbearable = ConcurrentHashMap.newKeySet();
    private final Map<String, List<String>> traces = new ConcurrentHashMap<>();
    private volatile @Nullable Supplier<? extends RuntimeException> failure;

    Arrivals(JdbcClient database) {
        this.database = database;
    }

    /** Fails at each event from now on, as if something that it needs were away. */
    void failFromNowOn(Supplier<? extends RuntimeException> with) {
        failures.set(0);
        failure = with;
    }

    void failNoMore() {
        failure = null;
        unbearable.clear();
    }

    /** Fails, by itself, whenever a parcel is moved to this place. */
    void cannotBear(String place) {
        failures.set(0);
        unbearable.add(place);
    }

    /** Returns how often it has failed since it began to. */
    int failures() {
        return failures.get();
    }

    /** Returns the trace ids that its thread had when this parcel was moved. */
    List<String> traces(String parcel) {
        return traces.getOrDefault(parcel, List.of());
    }

    @EventHandler
    void on(ParcelMoved moved) {
        traces.computeIfAbsent(moved.parcel(), parcel -> new CopyOnWriteArrayList<>())
                .add(TraceId.current().map(TraceId::text).orElse("none"));
        database.sql("INSERT INTO arrival (parcel, place) VALUES (?, ?)")
                .params(moved.parcel(), moved.to())
                .update();
        Supplier<? extends RuntimeException> now = failure;
        if (now != null) {
            failures.incrementAndGet();
            throw now.get();
        }
        if (unbearable.contains(moved.to())) {
            failures.incrementAndGet();
            throw new IllegalStateException("the read model has written and cannot bear " + moved.to());
        }
    }

    @ResetHandler
    void forget() {
        database.sql("DELETE FROM arrival").update();
    }
}
