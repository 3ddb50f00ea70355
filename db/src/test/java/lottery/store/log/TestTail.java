package lottery.store.log;

import java.util.List;
import java.util.Optional;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.TailFollower.EventBatch;
import lottery.store.log.TailFollower.FollowedLog;
import org.jspecify.annotations.Nullable;

/** The tail of a log, with what follows and reads it, for tests of other packages. */
public final class TestTail {

    public static final int CAPACITY = LogTail.CAPACITY;

    private final LogTail tail = new LogTail();
    private final LogDivergenceGuard divergenceGuard;

    /** @param end what the process does when the log has gone back */
    public TestTail(Runnable end) {
        divergenceGuard = new LogDivergenceGuard(end);
    }

    /** What a follower reads from a log that is not in a database. */
    public interface SimulatedReads {

        long head();

        Optional<LogEntry> newest();

        Optional<ReadBatch> after(long position);

        void awaitStandby();

        Optional<Long> headWithout(LogEntry known);
    }

    /** Events after a position, and the newest of them. */
    public record ReadBatch(List<TailEntry> events, LogEntry newest) {}

    public LogTail tail() {
        return tail;
    }

    public LogDivergenceGuard divergenceGuard() {
        return divergenceGuard;
    }

    public long last() {
        return tail.last();
    }

    public @Nullable Object at(long position) {
        return tail.at(position);
    }

    public void addListener(Runnable reader) {
        tail.addListener(reader);
    }

    /** A real follower without a thread. */
    public static final class SteppedFollower {

        private final TailFollower follower;

        private SteppedFollower(TailFollower follower) {
            this.follower = follower;
        }

        public void jumpToNewest() {
            follower.jumpToNewest();
        }

        public void readsOn() {
            follower.readsOn();
        }
    }

    public SteppedFollower following(SimulatedReads reads) {
        return new SteppedFollower(new TailFollower(tail, divergenceGuard, new FollowedLog() {
            @Override
            public long head() {
                return reads.head();
            }

            @Override
            public Optional<LogEntry> newest() {
                return reads.newest();
            }

            @Override
            public Optional<EventBatch> after(long position) {
                return reads.after(position).map(batch -> new EventBatch(batch.events(), batch.newest()));
            }

            @Override
            public void awaitStandby() {
                reads.awaitStandby();
            }

            @Override
            public Optional<Long> headWithout(LogEntry known) {
                return reads.headWithout(known);
            }
        }));
    }
}
