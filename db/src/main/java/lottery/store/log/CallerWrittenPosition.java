package lottery.store.log;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the newest position that a caller's commands have written. The caller can then wait until readers have
 * reached this position. The commit itself returns the position, so no further query is needed.
 */
public final class CallerWrittenPosition {

    private static final ScopedValue<CallerWrittenPosition> CURRENT = ScopedValue.newInstance();

    private final AtomicReference<@Nullable Log> decided = new AtomicReference<>();
    private final AtomicReference<@Nullable LogPosition> newest = new AtomicReference<>();

    /** Runs some work and records what its commands write. It sees only commands that are handled on this thread. */
    public <R, X extends Throwable> R of(ScopedValue.CallableOp<R, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** Returns the log in which the last command was handled, whatever its outcome; empty if none was handled. */
    public Optional<Log> decidedIn() {
        return Optional.ofNullable(decided.get());
    }

    /**
     * Returns the position of the newest event that was written; empty if none was. If commands have written to several
     * logs, it is in the log that was written last.
     */
    public Optional<LogPosition> newest() {
        return Optional.ofNullable(newest.get());
    }

    /** Records that a command is about to be handled in a log. */
    public static void recordCommand(Log log) {
        if (CURRENT.isBound()) {
            CURRENT.get().decided.set(log);
        }
    }

    /** Records that a command has written an event at this position. */
    public static void wrote(LogPosition position) {
        if (CURRENT.isBound()) {
            CURRENT.get()
                    .newest
                    .accumulateAndGet(
                            position,
                            (before, now) ->
                                    before != null && before.log() == now.log() && before.position() > now.position()
                                            ? before
                                            : now);
        }
    }
}
