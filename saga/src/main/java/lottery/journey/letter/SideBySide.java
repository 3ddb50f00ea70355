package lottery.journey.letter;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import lottery.store.processing.KnownOutages;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.stereotype.Component;
import org.springframework.util.function.ThrowingConsumer;

/**
 * Handles a batch of letters at the same time, those of one key one after the other. What a letter waits for, a commit
 * or the broker, serves many at once just as well: one at a time, journeys would be slower than draws.
 */
@Component
public final class SideBySide {

    /** What is not handled then comes again; the broker bears five minutes. */
    public static final Duration BATCH_MAX = Duration.ofSeconds(270);

    private static final Logger LOG = LoggerFactory.getLogger(SideBySide.class);

    private final Predicate<Throwable> isOutage;

    @Autowired
    SideBySide(KnownOutages outages) {
        this(outages::isOutage);
    }

    /** @param isOutage whether a failure is that something is away */
    SideBySide(Predicate<Throwable> isOutage) {
        this.isOutage = isOutage;
    }

    /**
     * First together, where one wait serves all of them, and side by side where that cannot be.
     *
     * @param together if it fails, those that it has handled are handled again
     */
    public void handle(
            List<ConsumerRecord<String, byte[]>> letters,
            ThrowingConsumer<List<ConsumerRecord<String, byte[]>>> together,
            Function<ConsumerRecord<String, byte[]>, CompletableFuture<?>> handling)
            throws InterruptedException {
        long begunNanos = System.nanoTime();
        if (letters.size() == 1 || !areHandled(letters, together)) {
            handle(letters, handling, BATCH_MAX.minusNanos(System.nanoTime() - begunNanos));
        }
    }

    private static boolean areHandled(
            List<ConsumerRecord<String, byte[]>> letters,
            ThrowingConsumer<List<ConsumerRecord<String, byte[]>>> together)
            throws InterruptedException {
        try {
            together.acceptWithException(letters);
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            LOG.debug(
                    "{} letters of {} are handled one by one: {}",
                    letters.size(),
                    letters.getFirst().topic(),
                    e.toString());
            return false;
        }
    }

    /**
     * Waits until all are handled, or one has failed: then none is begun any more, and what waits for its turn is taken
     * back.
     *
     * @param handling begins with a letter, and says when it is handled; what it throws is that letter's failure
     * @throws BatchListenerFailedException with the first letter that failed. Those after it come again, handled or
     *     not; of its own key none was.
     */
    public void handle(
            List<ConsumerRecord<String, byte[]>> letters,
            Function<ConsumerRecord<String, byte[]>, CompletableFuture<?>> handling,
            Duration max)
            throws InterruptedException {
        Batch batch = new Batch(handling);
        try {
            await(letters.stream().map(batch::add).toList(), System.nanoTime() + max.toNanos());
        } finally {
            batch.end();
        }
    }

    /** What has begun, and after which letter the next one of a key begins. */
    private static final class Batch {

        private final Function<ConsumerRecord<String, byte[]>, CompletableFuture<?>> handling;
        private final Map<String, CompletableFuture<?>> last = new HashMap<>();
        private final Queue<CompletableFuture<?>> begun = new ConcurrentLinkedQueue<>();
        private volatile boolean isOver;

        Batch(Function<ConsumerRecord<String, byte[]>, CompletableFuture<?>> handling) {
            this.handling = handling;
        }

        CompletableFuture<?> add(ConsumerRecord<String, byte[]> letter) {
            // Those without a key are of one.
            String key = Objects.requireNonNullElse(letter.key(), "");
            CompletableFuture<?> handled = last.getOrDefault(key, CompletableFuture.completedFuture(letter))
                    .thenCompose(before -> begin(letter));
            last.put(key, handled);
            return handled;
        }

        private CompletableFuture<?> begin(ConsumerRecord<String, byte[]> letter) {
            if (isOver) {
                return CompletableFuture.failedFuture(new CancellationException("its batch is over"));
            }
            CompletableFuture<?> handled = handling.apply(letter);
            begun.add(handled);
            return handled;
        }

        void end() {
            isOver = true;
            begun.forEach(each -> each.cancel(false));
        }
    }

    private void await(List<? extends CompletableFuture<?>> all, long endNanos) throws InterruptedException {
        for (int i = 0; i < all.size(); i++) {
            try {
                all.get(i).get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                throw failed("letter " + i + " of a batch failed", cause, i);
            } catch (TimeoutException e) {
                throw failed("letter " + i + " of a batch was not handled in time", e, i);
            }
        }
    }

    private BatchListenerFailedException failed(String message, Throwable cause, int index) {
        if (cause instanceof Unreadable) {
            return new FailedForGood(message, cause, index);
        }
        return isOutage.test(cause) ? new FailedForNow(message, cause, index) : new Failed(message, cause, index);
    }

    /** Of no use to try again. Who handles failures decides anew when the class of one is another than before. */
    static final class FailedForGood extends BatchListenerFailedException {

        private static final long serialVersionUID = 1;

        FailedForGood(String message, Throwable cause, int index) {
            super(message, cause, index);
        }
    }

    /** While something is away. */
    static final class FailedForNow extends BatchListenerFailedException {

        private static final long serialVersionUID = 1;

        FailedForNow(String message, Throwable cause, int index) {
            super(message, cause, index);
        }
    }

    /** Perhaps a fault of the moment, perhaps one of the program. */
    static final class Failed extends BatchListenerFailedException {

        private static final long serialVersionUID = 1;

        Failed(String message, Throwable cause, int index) {
            super(message, cause, index);
        }
    }
}
