package lottery.store.log;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the newest event up to which this process has followed the log. A log that has this event also has all events
 * before it. A log that lacks this event has gone back: an operator has restored a backup, or a replica that lagged has
 * taken over. This process then ends, because anything that it remembers may be wrong.
 *
 * <p>Only the committer and the {@link TailFollower} move the newest event forward. Each of them first makes sure that
 * the log still has the previous newest event. It also makes sure that the other thread has not replaced this event
 * meanwhile. Without these checks, an event that was just read could belong to another log.
 */
public final class LogDivergenceGuard {

    private static final Logger log = LoggerFactory.getLogger(LogDivergenceGuard.class);

    /** An event by its position and its id; position 0 means that there is no event. */
    public record LogEntry(long position, UUID id) {

        public static final LogEntry NONE = new LogEntry(0, new UUID(0, 0));
    }

    private final AtomicReference<LogEntry> newest = new AtomicReference<>(LogEntry.NONE);
    private final AtomicBoolean lost = new AtomicBoolean();
    private final Runnable end;

    /** @param end ends this process at once */
    public LogDivergenceGuard(Runnable end) {
        this.end = end;
    }

    /** Returns the newest event of which is known that it comes after all other events that this process knows. */
    public LogEntry newest() {
        return newest.get();
    }

    /**
     * Makes {@code event} the newest event, if {@code known} still is the newest. The caller has seen these two events
     * in the same log. If the other thread has set another newest event meanwhile, nothing changes: neither thread has
     * seen that other event and {@code event} in the same log.
     *
     * @param known the event that {@link #newest} returned before the log was read
     * @return whether {@code known} was the newest event until now
     */
    public boolean reached(LogEntry known, LogEntry event) {
        return newest.compareAndSet(known, event.position() > known.position() ? event : known);
    }

    /** Ends this process, because a newer version has excluded its version from writing. */
    public void endOutdatedProcess() {
        if (lost.compareAndSet(false, true)) {
            log.error("A newer version of the lottery has started, and this version may store no more events beside it."
                    + " This process ends. Start the newer version instead.");
        }
        end.run();
    }

    /** Ends this process, because the log does not have an event that this process knows. */
    public void endProcess(LogEntry known, long head) {
        if (lost.compareAndSet(false, true)) {
            log.error(
                    "The log has gone back: this process knows event {} at position {}, and PostgreSQL does not have it."
                            + " The newest position there is {}. A backup was restored, or a replica that lagged has taken over."
                            + " This process ends, because its memory may be wrong. Start it again, and see"
                            + " docs/operations/runbook/log-gone-back.md.",
                    known.id(),
                    known.position(),
                    head);
        }
        end.run();
    }
}
