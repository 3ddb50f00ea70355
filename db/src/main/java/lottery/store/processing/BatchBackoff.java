package lottery.store.processing;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides from the failures of a segment how large its next batch is, how long it pauses before, and which event is
 * parked. If a batch fails, the next batch has a tenth of its size, and so on, down to a single event. After each
 * success the size doubles. An event that fails alone is tried a few times and then parked. The class is not
 * thread-safe.
 */
final class BatchBackoff {

    private static final Logger log = LoggerFactory.getLogger(BatchBackoff.class);

    /** The most events of a batch. With so many, the transaction costs little compared with the events. */
    private static final int EVENTS_PER_BATCH_MAX = 500;

    /**
     * How many times smaller the next batch is after a failure. A single event that fails is found after a few
     * failures. A batch that was too large, or took too long, is first divided into smaller batches.
     */
    private static final int DIVISOR_AFTER_FAILURE = 10;

    /** How often an event that fails alone is tried. */
    private static final int ATTEMPTS_MAX = 3;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    private final String processor;
    private final ProcessorDependencies parts;
    private int eventsMax = EVENTS_PER_BATCH_MAX;
    private @Nullable EventFailure failing;
    private Duration pause = FIRST_PAUSE;

    BatchBackoff(String processor, ProcessorDependencies parts) {
        this.processor = processor;
        this.parts = parts;
    }

    /** An event that has failed although it was handled alone. Its attempts during an outage do not count. */
    private record EventFailure(long position, int attempts, Throwable cause) {}

    /** Returns the most events of the next batch. */
    int eventsMax() {
        return eventsMax;
    }

    /** Returns whether nothing has succeeded since the last failure. */
    boolean isBackingOff() {
        return !pause.equals(FIRST_PAUSE);
    }

    /** Returns how long to pause after a failure: each time longer, until something succeeds. */
    Duration nextPause() {
        Duration next = pause;
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
        return next;
    }

    /** Returns why the batch is to be parked: its only event has failed alone too often. */
    Optional<Throwable> reasonToPark(SegmentBatch batch) {
        return Optional.ofNullable(failing)
                .filter(failure ->
                        batch.isSingle() && failure.position() == batch.first() && failure.attempts() >= ATTEMPTS_MAX)
                .map(EventFailure::cause);
    }

    void handled() {
        eventsMax = Math.min(2 * eventsMax, EVENTS_PER_BATCH_MAX);
        done();
    }

    void parked() {
        done();
    }

    private void done() {
        failing = null;
        pause = FIRST_PAUSE;
    }

    /** @param batch the batch that has failed; null if the log could not be read */
    void failed(Exception failure, @Nullable SegmentBatch batch) {
        if (parts.failureClassifier().lockWaitedFor(failure).isPresent()) {
            // Neither the events nor PostgreSQL are at fault. The batch is not divided, and the pause is short because
            // the wait for the lock was long.
            log.warn("The processor {} has waited for a lock, and tries again: {}", processor, parts.textOf(failure));
            pause = FIRST_PAUSE;
        } else if (batch == null) {
            log.warn("The processor {} cannot read the log: {}. It tries again.", processor, failure.toString());
        } else if (!batch.isSingle()) {
            eventsMax = Math.max(1, batch.size() / DIVISOR_AFTER_FAILURE);
            log.warn(
                    "The processor {} failed with {} events together: {}. It tries again with at most {}.",
                    processor,
                    batch.size(),
                    failure.toString(),
                    eventsMax);
        } else if (failure instanceof ParkedSequences.ParkedEventLimitException) {
            // The event itself has not failed. If it has failed before, its cause is kept.
            log.warn(
                    "The processor {} stands still at event {}: {}. Retry or drop parked events at the desk.",
                    processor,
                    batch.first(),
                    failure.getMessage());
        } else {
            EventFailure before = failing;
            int attempts = before != null && before.position() == batch.first() ? before.attempts() : 0;
            if (!parts.failureClassifier().isOutage(failure)) {
                attempts++;
            }
            failing = new EventFailure(batch.first(), attempts, failure);
            // The event is read alone again, although more events may come meanwhile.
            eventsMax = 1;
            log.warn(
                    "The processor {} cannot handle event {}: {}. It tries again.",
                    processor,
                    batch.first(),
                    failure.toString());
        }
    }
}
