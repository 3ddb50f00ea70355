package lottery.store.log;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lottery.store.log.GroupCommitEngine.Batch;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the events of other processes to the tail: when it is notified, and once a second in any case. Each time it
 * makes sure that the log has not gone back.
 */
final class TailFollower implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TailFollower.class);

    /** The pause between two looks without a notification, because other processes may be unable to send one. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final LogTail tail;
    private final LogDivergenceGuard history;
    private final FollowedLog followed;
    private final Thread thread =
            Thread.ofPlatform().name("log-follower").daemon().unstarted(this::run);
    private final CountDownLatch closing = new CountDownLatch(1);

    TailFollower(LogTail tail, LogDivergenceGuard history, FollowedLog followed) {
        this.tail = tail;
        this.history = history;
        this.followed = followed;
    }

    /** The log as a follower reads it. */
    interface FollowedLog {

        /** Returns the position of the newest event. */
        long head();

        /** Returns the newest event; empty if there is none. */
        Optional<LogEntry> newest();

        /** Returns the events after a position, a page at most; empty if there are none. */
        Optional<Batch> after(long position);

        /** Returns the head of a log that lacks an event; empty if the log has the event. */
        Optional<Long> headWithout(LogEntry known);
    }

    /** Starts at the current head; the tail knows every event from here on. */
    void start() {
        jumpToNewest();
        thread.start();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                tail.awaitBehind(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                try {
                    catchUp();
                } catch (RuntimeException | Error e) {
                    // Without the follower, every reader of this process would stand still unnoticed.
                    log.warn("The log cannot be read, and is tried again: {}", e.toString());
                    closing.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins behind the newest event. */
    void jumpToNewest() {
        followed.newest().ifPresent(newest -> history.reached(LogEntry.NONE, newest));
        tail.jumpTo(followed.head());
    }

    private void catchUp() {
        while (closing.getCount() > 0 && readsOn()) {
            // There may be more.
        }
    }

    /** Adds the next events, and returns whether there may be more. */
    boolean readsOn() {
        LogEntry known = history.newest();
        Optional<Batch> batch = followed.after(tail.last());
        // After the events were read: what the log has now, it had then.
        if (isLost(known)) {
            return false;
        }
        if (batch.isEmpty()) {
            return false;
        }
        LogEntry newest = batch.get().newest();
        while (known.position() < newest.position() && !history.reached(known, newest)) {
            // The committer has written meanwhile. Both its events and these have to be in one log.
            known = history.newest();
            if (isLost(known)) {
                return false;
            }
            if (followed.headWithout(newest).isPresent()) {
                return true;
            }
        }
        tail.add(batch.get().events(), batch.get().upTo());
        return true;
    }

    /** Ends this process if the log lacks what it knows. */
    private boolean isLost(LogEntry known) {
        Optional<Long> head = followed.headWithout(known);
        head.ifPresent(position -> history.lost(known, position));
        return head.isPresent();
    }

    @Override
    public void close() {
        closing.countDown();
        tail.seemsBehind();
    }
}
