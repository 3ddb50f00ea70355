package lottery.store.log;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lottery.store.log.GroupCommitEngine.Batch;
import lottery.store.log.LogHistory.LogEntry;
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
    private final LogHistory history;
    private final GroupCommitEngine engine;
    private final Thread thread =
            Thread.ofPlatform().name("log-follower").daemon().unstarted(this::run);
    private final CountDownLatch closing = new CountDownLatch(1);

    TailFollower(LogTail tail, LogHistory history, GroupCommitEngine engine) {
        this.tail = tail;
        this.history = history;
        this.engine = engine;
    }

    /** Starts at the current head; the tail knows every event from here on. */
    void start() {
        engine.newest().ifPresent(history::reached);
        tail.jumpTo(engine.head());
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

    private void catchUp() {
        while (closing.getCount() > 0) {
            LogEntry known = history.newest();
            Optional<Batch> batch = engine.after(tail.last(), Long.MAX_VALUE);
            // After the events were read: what the log has now, it had then.
            Optional<Long> lost = engine.headWithout(known);
            if (lost.isPresent()) {
                history.lost(known, lost.get());
                return;
            }
            if (batch.isEmpty()) {
                return;
            }
            history.reached(batch.get().newest());
            tail.add(batch.get().events(), batch.get().upTo());
        }
    }

    @Override
    public void close() {
        closing.countDown();
        tail.seemsBehind();
    }
}
