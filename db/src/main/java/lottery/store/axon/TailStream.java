package lottery.store.axon;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import lottery.store.log.LogTail;
import lottery.store.log.TailFollower.EventBatch;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;

/** A reader of the log. It reads from memory while it is close to the head, and otherwise from the database. */
final class TailStream implements BlockingStream<TrackedEventMessage<?>> {

    /** How long a read without a time limit waits before it checks for an interrupt. */
    private static final long WAIT_MS = 1_000;

    private final LogTail tail;
    private final LogMessageReader reader;
    private final Deque<TrackedEventMessage<?>> fetched = new ArrayDeque<>();

    /** Every event up to here was returned or is among those in {@code fetched}. */
    private long position;

    private @Nullable Runnable callback;

    TailStream(LogTail tail, LogMessageReader reader, long position) {
        this.tail = tail;
        this.reader = reader;
        this.position = position;
    }

    @Override
    public Optional<TrackedEventMessage<?>> peek() {
        fetch();
        return Optional.ofNullable(fetched.peek());
    }

    @Override
    public boolean hasNextAvailable(int timeout, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        fetch();
        // An upcaster may have dropped all events that were fetched.
        while (fetched.isEmpty() && tail.awaitAfter(position, deadline - System.nanoTime())) {
            fetch();
        }
        return !fetched.isEmpty();
    }

    @Override
    public TrackedEventMessage<?> nextAvailable() throws InterruptedException {
        while (!hasNextAvailable((int) WAIT_MS, TimeUnit.MILLISECONDS)) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return fetched.remove();
    }

    private void fetch() {
        if (!fetched.isEmpty() || position >= tail.last()) {
            return;
        }
        TrackedEventMessage<?> event = (TrackedEventMessage<?>) tail.at(position + 1);
        if (event != null) {
            fetched.add(event);
            position++;
        } else {
            // It reads no further than the tail, because only events in the tail are known to belong to the same log.
            long last = tail.last();
            EventBatch batch = reader.after(position, last)
                    .orElseThrow(() -> new IllegalStateException(
                            "the log has nothing after position %d, and its head is at %d".formatted(position, last)));
            batch.events().forEach(read -> fetched.add((TrackedEventMessage<?>) read.message()));
            position = batch.upTo();
        }
    }

    @Override
    public boolean setOnAvailableCallback(Runnable onAvailable) {
        close();
        callback = onAvailable;
        tail.addListener(onAvailable);
        return true;
    }

    @Override
    public void close() {
        if (callback != null) {
            tail.removeListener(callback);
            callback = null;
        }
    }
}
