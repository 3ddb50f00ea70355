package lottery.bench.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import lottery.bench.store.variant.BenchmarkDrawFact.Pinged;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** A reader at the head of the log that waits for the next event. */
final class VisibilityWatcher {

    private static final int WAIT_MAX_MS = 100;

    /** Receives each ping with the time when it was seen. */
    interface PingReceiver {

        void seen(int number, long atMicros);
    }

    private VisibilityWatcher() {}

    static void watch(EventStore store, BooleanSupplier until, Runnable ready, PingReceiver seen)
            throws InterruptedException {
        try (BlockingStream<TrackedEventMessage<?>> stream = store.openStream(store.createHeadToken())) {
            ready.run();
            while (!until.getAsBoolean()) {
                if (stream.hasNextAvailable(WAIT_MAX_MS, TimeUnit.MILLISECONDS)
                        && stream.nextAvailable().getPayload() instanceof Pinged ping) {
                    seen.seen(ping.number(), nowMicros());
                }
            }
        }
    }

    /** Returns the time of a clock that is the same for all processes of a machine. */
    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
