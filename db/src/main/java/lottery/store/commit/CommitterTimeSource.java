package lottery.store.commit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The clock of a {@link Committer}, and the way in which it pauses. */
interface CommitterTimeSource {

    CommitterTimeSource SYSTEM = new CommitterTimeSource() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(Duration duration) {
            LockSupport.parkNanos(duration.toNanos());
        }
    };

    /** Returns the nanoseconds since some fixed moment. */
    long nanos();

    void pause(Duration duration);
}
