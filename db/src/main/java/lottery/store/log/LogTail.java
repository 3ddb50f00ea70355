package lottery.store.log;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest events, in memory, in order and without a hole. The committer adds what it has written, and what other
 * processes have written in between is fetched by the {@link TailFollower}.
 */
final class LogTail {

    private static final Logger log = LoggerFactory.getLogger(LogTail.class);

    /** So many events are kept: a reader that is further behind reads from the database, in large batches. */
    static final int CAPACITY = 4_096;

    private static final int MASK = CAPACITY - 1;

    private final AtomicReferenceArray<@Nullable TrackedEventMessage<?>> ring = new AtomicReferenceArray<>(CAPACITY);
    private final Set<Runnable> readers = new CopyOnWriteArraySet<>();
    private final Object arrived = new Object();
    private final Object behind = new Object();

    private volatile long last;
    private boolean mayBeBehind;

    /** Forgets everything, and goes on after this position. */
    void jumpTo(long position) {
        synchronized (arrived) {
            for (int i = 0; i < CAPACITY; i++) {
                ring.set(i, null);
            }
            moveTo(position);
        }
        tellReaders();
    }

    /** The position of the newest event that is known here. */
    long last() {
        return last;
    }

    /** Adds what this process has written after the base, if nothing of others is missing before it. */
    void append(long base, List<EventRow> rows) {
        synchronized (arrived) {
            if (base != last) {
                // Positions that another process was given: nobody may see ours before those.
                seemsBehind();
                return;
            }
            long position = base;
            for (EventRow row : rows) {
                position++;
                ring.set((int) (position & MASK), row.at(position));
            }
            moveTo(position);
        }
        tellReaders();
    }

    /** Adds what was read from the database; what has come in the meantime is left out. */
    void add(List<TrackedEventMessage<?>> events, long upTo) {
        synchronized (arrived) {
            if (upTo <= last) {
                return;
            }
            long before = last;
            for (TrackedEventMessage<?> event : events) {
                long position = positionOf(event);
                if (position > last) {
                    // What an upcaster has made several of does not fit in here, and is read from the database.
                    ring.set((int) (position & MASK), position == before ? null : event);
                    before = position;
                }
            }
            moveTo(upTo);
        }
        tellReaders();
    }

    /**
     * A reader that fails, such as one that is shutting down, is neither the writer's business nor another reader's.
     */
    private void tellReaders() {
        for (Runnable reader : readers) {
            try {
                reader.run();
            } catch (RuntimeException e) {
                log.warn("A reader could not be told of new events: {}", e.toString());
            }
        }
    }

    private void moveTo(long position) {
        last = position;
        arrived.notifyAll();
    }

    /** The event at a position, if it is here. */
    @Nullable
    TrackedEventMessage<?> at(long position) {
        TrackedEventMessage<?> event = ring.get((int) (position & MASK));
        return event != null && positionOf(event) == position ? event : null;
    }

    private static long positionOf(TrackedEventMessage<?> event) {
        return ((GlobalSequenceTrackingToken) event.trackingToken()).getGlobalIndex();
    }

    /** Waits until there is an event after the position. */
    boolean awaitAfter(long position, long nanosMax) throws InterruptedException {
        if (last > position) {
            return true;
        }
        long deadline = System.nanoTime() + nanosMax;
        synchronized (arrived) {
            long left = nanosMax;
            while (last <= position && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(arrived, left);
                left = deadline - System.nanoTime();
            }
        }
        return last > position;
    }

    /** Somebody has reason to believe that the database has more than is here. */
    void seemsBehind() {
        synchronized (behind) {
            mayBeBehind = true;
            behind.notifyAll();
        }
    }

    /** Waits until this seems to be behind, or for so long. */
    void awaitBehind(long max, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(max);
        synchronized (behind) {
            long left = unit.toNanos(max);
            while (!mayBeBehind && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(behind, left);
                left = deadline - System.nanoTime();
            }
            mayBeBehind = false;
        }
    }

    /** From now on the reader is told whenever events have come. */
    void tell(Runnable reader) {
        readers.add(reader);
    }

    void tellNoMore(Runnable reader) {
        readers.remove(reader);
    }
}
