package lottery.store.log;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers the newest position that somebody's commands have written, so that their sender can wait until it is seen
 * elsewhere. The commit itself says where its events are; nobody has to ask again.
 */
public final class WrittenPosition {

    private static final ScopedValue<WrittenPosition> CURRENT = ScopedValue.newInstance();

    private final AtomicBoolean decided = new AtomicBoolean();
    private final AtomicLong newest = new AtomicLong();

    /** Does something, and notes what its commands leave, as far as they are handled on this thread. */
    public <R, X extends Throwable> R of(ScopedValue.CallableOp<R, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** Whether there was any command at all, whatever came of it. */
    public boolean isDecided() {
        return decided.get();
    }

    /** The position of the newest event that was written; none: nothing was. */
    public OptionalLong newest() {
        long position = newest.get();
        return position == 0 ? OptionalLong.empty() : OptionalLong.of(position);
    }

    /** A command is about to be handled. */
    public static void decides() {
        if (CURRENT.isBound()) {
            CURRENT.get().decided.set(true);
        }
    }

    static void wrote(long position) {
        if (CURRENT.isBound()) {
            CURRENT.get().newest.accumulateAndGet(position, Math::max);
        }
    }
}
