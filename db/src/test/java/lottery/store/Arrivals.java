package lottery.store;

import java.util.concurrent.atomic.AtomicInteger;
import lottery.store.Parcel.ParcelMoved;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A read model as plain as can be, which fails after it has written for as long as a test wants it to. */
@ProcessingGroup(Arrivals.PROCESSOR)
class Arrivals {

    static final String PROCESSOR = "arrivals";

    private final JdbcClient database;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean failing;

    Arrivals(JdbcClient database) {
        this.database = database;
    }

    void failFromNowOn() {
        failures.set(0);
        failing = true;
    }

    void failNoMore() {
        failing = false;
    }

    /** Since it began to fail. */
    int failures() {
        return failures.get();
    }

    @EventHandler
    void on(ParcelMoved moved) {
        database.sql("INSERT INTO arrival (parcel, place) VALUES (?, ?)")
                .params(moved.parcel(), moved.to())
                .update();
        if (failing) {
            failures.incrementAndGet();
            throw new IllegalStateException("the read model has written and fails now");
        }
    }
}
