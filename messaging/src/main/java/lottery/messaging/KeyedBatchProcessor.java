package lottery.messaging;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import lottery.store.processing.FailureClassifier;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.BatchListenerFailedException;

/**
 * Processes a batch of records with one handler. First, one call handles all records, so that they share one commit. If
 * that call fails, each record gets its own call. These calls run in parallel, but one after the other for the same
 * key.
 */
public final class KeyedBatchProcessor implements AutoCloseable {

    /**
     * The time limit of a batch. It is shorter than the five minutes that the broker allows. Records that are not
     * handled within it are delivered again.
     */
    static final Duration BATCH_MAX = Duration.ofSeconds(270);

    private static final Logger LOG = LoggerFactory.getLogger(KeyedBatchProcessor.class);

    private final Predicate<Throwable> isOutage;
    private final Duration batchMax;
    private final ExecutorService threads;
    private final Set<KeyedCallBatch> underWay = ConcurrentHashMap.newKeySet();

    /**
     * @param name the prefix of its threads' names
     * @param parallelMax how many calls run at once; they share resources with other code, for example database
     *     connections
     */
    public KeyedBatchProcessor(String name, int parallelMax, FailureClassifier failureClassifier) {
        this(name, parallelMax, failureClassifier::isOutage, BATCH_MAX);
    }

    KeyedBatchProcessor(String name, int parallelMax, Predicate<Throwable> isOutage, Duration batchMax) {
        this.isOutage = isOutage;
        this.batchMax = batchMax;
        this.threads = Executors.newFixedThreadPool(
                parallelMax, Thread.ofVirtual().name(name + "-", 0).factory());
    }

    /**
     * Waits until all records are handled or one has failed. Soon after a failure no further call begins.
     *
     * @param handler handles records; it may get a record that it has already handled
     * @throws BatchListenerFailedException with the first record that failed. All records after it are delivered again,
     *     even if they were handled. No later record with the same key was handled.
     */
    public void process(
            List<ConsumerRecord<String, byte[]>> records, Consumer<List<ConsumerRecord<String, byte[]>>> handler)
            throws InterruptedException {
        long endNanos = System.nanoTime() + batchMax.toNanos();
        if (records.size() > 1 && isHandled(records, handler)) {
            return;
        }
        KeyedCallBatch batch = new KeyedCallBatch(handler);
        underWay.add(batch);
        try {
            await(records.stream().map(batch::add).toList(), endNanos);
        } finally {
            underWay.remove(batch);
            batch.end();
        }
    }

    private static boolean isHandled(
            List<ConsumerRecord<String, byte[]>> records, Consumer<List<ConsumerRecord<String, byte[]>>> handler)
            throws InterruptedException {
        try {
            handler.accept(records);
            return true;
        } catch (RuntimeException | Error e) {
            // An error that left the listener would end the consumer.
            if (Thread.interrupted()) {
                throw new InterruptedException(e.toString());
            }
            String topic = records.getFirst().topic();
            LOG.debug(
                    "{} messages of {} failed together: {}. Each is tried again alone.",
                    records.size(),
                    topic,
                    e.toString());
            return false;
        }
    }

    /** The calls of a batch. The next call for a key begins when the previous call for that key has ended. */
    private final class KeyedCallBatch {

        private final Consumer<List<ConsumerRecord<String, byte[]>>> handler;
        private final Map<String, CompletableFuture<?>> last = new HashMap<>();
        private final Queue<CompletableFuture<?>> begun = new ConcurrentLinkedQueue<>();
        private volatile boolean isOver;

        KeyedCallBatch(Consumer<List<ConsumerRecord<String, byte[]>>> handler) {
            this.handler = handler;
        }

        CompletableFuture<?> add(ConsumerRecord<String, byte[]> each) {
            // Records without a key count as records of one key.
            String key = Objects.requireNonNullElse(each.key(), "");
            CompletableFuture<?> handled = last.getOrDefault(key, CompletableFuture.completedFuture(each))
                    .thenCompose(before -> begin(each));
            last.put(key, handled);
            return handled;
        }

        private CompletableFuture<?> begin(ConsumerRecord<String, byte[]> each) {
            if (isOver) {
                return CompletableFuture.failedFuture(new CancellationException("its batch is over"));
            }
            CompletableFuture<?> handled = CompletableFuture.runAsync(() -> handle(each), threads);
            begun.add(handled);
            return handled;
        }

        private void handle(ConsumerRecord<String, byte[]> each) {
            try (var _ = TraceId.open(CloudEventCodec.trace(each).orElse(null))) {
                handler.accept(List.of(each));
            }
        }

        /** Ends the batch. A call that still waits for a thread does not begin. */
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
                throw failed("record " + i + " of a batch failed", cause, i);
            } catch (TimeoutException e) {
                throw failed("record " + i + " of a batch was not handled in time", e, i);
            }
        }
    }

    private BatchListenerFailedException failed(String message, Throwable cause, int index) {
        if (cause instanceof UnreadableMessageException) {
            return new RecordUnusableException(message, cause, index);
        }
        return isOutage.test(cause)
                ? new RecordOutageException(message, cause, index)
                : new RecordFailedException(message, cause, index);
    }

    /** Interrupts running calls, and cancels calls that wait for a thread. Their records are delivered again. */
    @Override
    public void close() {
        threads.shutdownNow();
        underWay.forEach(KeyedCallBatch::end);
    }

    /**
     * Thrown if a record can never be handled. Each kind of failure has its own class, because the error handler starts
     * its retries anew when the class of a failure changes.
     */
    static final class RecordUnusableException extends BatchListenerFailedException {

        private static final long serialVersionUID = 1;

        RecordUnusableException(String message, Throwable cause, int index) {
            super(message, cause, index);
        }
    }

    /** The record fails because of an outage. */
    static final class RecordOutageException extends BatchListenerFailedException {

        private static final long serialVersionUID = 1;

        RecordOutageException(String message, Throwable cause, int index) {
            super(message, cause, index);
        }
    }

    /** The record fails for another reason, which may be temporary or a bug. */
    static final class RecordFailedException extends BatchListenerFailedException {

        private static final long serialVersionUID = 1;

        RecordFailedException(String message, Throwable cause, int index) {
            super(message, cause, index);
        }
    }
}
