package lottery.bench.store;

import java.util.concurrent.TimeUnit;
import lottery.bench.store.variant.BenchmarkDrawFact;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** How fast one reader reads all existing events from the first one on. */
record CatchUpSpeed(long events, double seconds, double eventsPerSecond) {

    private static final int WAIT_MAX_MS = 5_000;

    static CatchUpSpeed measure(EventStore store, long wanted) {
        long eventsMax = Math.min(wanted, store.createHeadToken().position().orElseThrow());
        long characters = 0;
        long events = 0;
        long start = System.nanoTime();
        try (BlockingStream<TrackedEventMessage<?>> stream = store.openStream(store.createTailToken())) {
            while (events < eventsMax && stream.hasNextAvailable(WAIT_MAX_MS, TimeUnit.MILLISECONDS)) {
                characters += touched(stream.nextAvailable().getPayload());
                events++;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (characters == 0) {
            throw new IllegalStateException("nothing was read");
        }
        return new CatchUpSpeed(events, seconds, events / seconds);
    }

    /**
     * Returns a value from a field of the payload. A payload is deserialized only when it is used, so the measurement
     * has to use each payload.
     */
    private static int touched(Object payload) {
        return switch ((BenchmarkDrawFact) payload) {
            case BenchmarkDrawFact.Opened event -> event.account().length();
            case BenchmarkDrawFact.Spent event -> event.note().length();
            case BenchmarkDrawFact.Ordered event -> event.note().length();
            case BenchmarkDrawFact.Drawn event -> event.note().length();
            case BenchmarkDrawFact.Won event -> event.note().length();
            case BenchmarkDrawFact.Pinged event -> event.number();
        };
    }
}
