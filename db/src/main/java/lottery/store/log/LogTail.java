package lottery.store.log;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the newest events in memory, in order and without gaps. The committer adds the events that it has written. The
 * {@link TailFollower} adds the events that other processes have written in between.
 */
public final class LogTail {

    private static final Logger log = LoggerFactory.getLogger(LogTail.class);

    /** The channel on which processes are notified of a new head. */
    public static final String CHANNEL = "event_head";

    /** How many events are kept. A reader that is further behind reads from the database, in large batches. */
    static final int CAPACITY = 4_096;

    private static final int MASK = CAPACITY - 1;

    private final AtomicReferenceArray<@Nullable TailEntry> ring = new AtomicReferenceArray<>(CAPACITY);
    private final Set<Runnable> readers = new CopyOnWriteArraySet<>();
    private final Object arrived = new Object();

    private volatile long last;
    private volatile Runnable whenBehind = () -> {};

    /** Forgets all events and continues after this position. */
    void jumpTo(long position) {
        synchronized (arrived) {
            for (int i = 0; i < CAPACITY; i++) {
                ring.set(i, null);
            }
            moveTo(position);
        }
        tellReaders();
    }

    /** Returns the position of the newest event that this tail knows. */
    public long last() {
        return last;
    }

    /**
     * Adds the events that this process wrote after a base position, if no event of another process is missing before
     * them.
     *
     * @param newest the position of the last of these events
     * @param written makes the message of the event at a position
     */
    public void append(long base, long newest, LongFunction<Object> written) {
        synchronized (arrived) {
            if (base != last) {
                // Another process has written the positions in between. No reader may see this process's events before
                // those.
                seemsBehind();
                return;
            }
            for (long position = base + 1; position <= newest; position++) {
                ring.set((int) (position & MASK), new TailEntry(position, written.apply(position)));
            }
            moveTo(newest);
        }
        tellReaders();
    }

    /** Adds events that were read from the database, except events that the tail has got meanwhile. */
    void add(List<TailEntry> events, long upTo) {
        synchronized (arrived) {
            if (upTo <= last) {
                return;
            }
            long before = last;
            for (TailEntry event : events) {
                long position = event.position();
                if (position > last) {
                    // If an upcaster has made several events out of one stored event, they do not fit into one slot.
                    // Readers get them from the database.
                    ring.set((int) (position & MASK), position == before ? null : event);
                    before = position;
                }
            }
            moveTo(upTo);
        }
        tellReaders();
    }

    /**
     * Notifies all readers. A reader that fails, for example because it is shutting down, affects neither the writer
     * nor other readers.
     */
    private void tellReaders() {
        for (Runnable reader : readers) {
            try {
                reader.run();
            } catch (RuntimeException e) {
                log.warn(
                        "A reader of the log could not be notified of new events: {}. It sees them when it looks again.",
                        e.toString());
            }
        }
    }

    private void moveTo(long position) {
        last = position;
        arrived.notifyAll();
    }

    /** Returns the message of the event at a position, if it is in memory. */
    public @Nullable Object at(long position) {
        TailEntry event = ring.get((int) (position & MASK));
        return event != null && event.position() == position ? event.message() : null;
    }

    /** Waits until there is an event after the position; returns false if none has come in time. */
    public boolean awaitAfter(long position, long nanosMax) throws InterruptedException {
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

    /** Records that the database may have more events than this tail. */
    void seemsBehind() {
        whenBehind.run();
    }

    /** Registers the follower, which is told when this tail may be behind. */
    void onBehind(Runnable follower) {
        whenBehind = follower;
    }

    /** Registers a reader, which is notified of new events from now on. */
    public void addListener(Runnable reader) {
        readers.add(reader);
    }

    public void removeListener(Runnable reader) {
        readers.remove(reader);
    }
}
