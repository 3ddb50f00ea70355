package lottery.store.log;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.loop.BackgroundLoop;

/**
 * Adds the events of other processes to the tail, as soon as a failover cannot lose them. It looks for them whenever it
 * is notified, and once a second in any case. Each time it makes sure that the log has not gone back.
 */
public final class TailFollower implements AutoCloseable {

    /**
     * The longest pause between two looks for new events. After this pause the follower looks even without a
     * notification, because other processes may be unable to send one.
     */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final LogTail tail;
    private final LogDivergenceGuard divergenceGuard;
    private final FollowedLog followed;
    private final BackgroundLoop loop = new BackgroundLoop(
            "log-follower",
            LOOK,
            this::catchUp,
            "New events cannot be read from PostgreSQL: {}. Processors of this process wait.");

    public TailFollower(LogTail tail, LogDivergenceGuard divergenceGuard, FollowedLog followed) {
        this.tail = tail;
        this.divergenceGuard = divergenceGuard;
        this.followed = followed;
        tail.onBehind(loop::wake);
    }

    /**
     * Events of the log, as readers get them.
     *
     * @param newest the last event that was read, even if it makes no message
     */
    public record EventBatch(List<TailEntry> events, LogEntry newest) {

        public long upTo() {
            return newest.position();
        }
    }

    /** The log as a follower reads it. */
    public interface FollowedLog {

        /** Returns the position of the newest event. */
        long head();

        /** Returns the newest event; empty if there is none. */
        Optional<LogEntry> newest();

        /** Returns the events after a position, a page at most; empty if there are none. */
        Optional<EventBatch> after(long position);

        /**
         * Waits until the synchronous standby has all events that can be read now; returns at once if there is none.
         */
        void awaitStandby();

        /** Returns the head's position if the log lacks the event; empty if the log has it. */
        Optional<Long> headWithout(LogEntry known);
    }

    /** Starts at the current head. From there on the tail knows every event. */
    public void start() {
        jumpToNewest();
        loop.start();
    }

    /** Begins right after the newest event. */
    void jumpToNewest() {
        followed.newest().ifPresent(newest -> divergenceGuard.reached(LogEntry.NONE, newest));
        long head = followed.head();
        followed.awaitStandby();
        tail.jumpTo(head);
    }

    private void catchUp() {
        while (!loop.isStopping() && readsOn()) {
            // readsOn() adds the events.
        }
    }

    /** Adds the next events, and returns whether there may be more. */
    boolean readsOn() {
        LogEntry known = divergenceGuard.newest();
        Optional<EventBatch> batch = followed.after(tail.last());
        // The check follows the read: if the log has the event now, it also had it when the events were read.
        if (isLost(known)) {
            return false;
        }
        if (batch.isEmpty()) {
            return false;
        }
        followed.awaitStandby();
        LogEntry newest = batch.get().newest();
        if (followed.headWithout(newest).isPresent()) {
            return true; // A standby has taken over during the wait, and lacks these events.
        }
        while (known.position() < newest.position() && !divergenceGuard.reached(known, newest)) {
            // The committer has moved the newest known event meanwhile. This thread makes sure that that event and the
            // events of the batch are in the same log.
            known = divergenceGuard.newest();
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

    /** Returns whether the log lacks an event that this process knows, and in this case ends the process. */
    private boolean isLost(LogEntry known) {
        Optional<Long> head = followed.headWithout(known);
        head.ifPresent(position -> divergenceGuard.endProcess(known, position));
        return head.isPresent();
    }

    @Override
    public void close() {
        loop.close();
    }
}
