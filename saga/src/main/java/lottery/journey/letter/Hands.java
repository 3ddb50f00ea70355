package lottery.journey.letter;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.store.trace.TraceId;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.ThrowingConsumer;

/**
 * Handles letters that wait, for a command or for the broker, each on a thread of its own. So many at once and no more,
 * because what they wait for is shared with others, as connections to the database are; the rest takes turns.
 */
public final class Hands implements AutoCloseable {

    private static final Duration TURN_WAIT_MAX = SideBySide.BATCH_MAX;

    private final Semaphore turns;
    private final ExecutorService threads;

    /** @param name of its threads */
    public Hands(String name, int atOnceMax) {
        turns = new Semaphore(atOnceMax, true);
        threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name + "-", 0).factory());
    }

    /**
     * Does not wait. Who cancels the future before its turn has come takes the letter back.
     *
     * @param trace of the request that it follows from, for which its thread works then
     * @param handling what it throws is the failure of that letter
     */
    public <T> CompletableFuture<T> begin(T letter, @Nullable TraceId trace, ThrowingConsumer<T> handling) {
        CompletableFuture<T> handled = new CompletableFuture<>();
        threads.execute(() -> {
            try (var _ = TraceId.open(trace)) {
                inTurn(handled, letter, handling);
                handled.complete(letter);
            } catch (Throwable failure) {
                handled.completeExceptionally(failure);
            }
        });
        return handled;
    }

    private <T> void inTurn(CompletableFuture<T> handled, T letter, ThrowingConsumer<T> handling) throws Exception {
        if (!turns.tryAcquire(TURN_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("its turn did not come");
        }
        try {
            if (!handled.isDone()) {
                handling.acceptWithException(letter);
            }
        } finally {
            turns.release();
        }
    }

    /** Who still waits gives up, and its letter comes again. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
