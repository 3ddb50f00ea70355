package lottery.store.processing;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.store.processing.ProcessorMember.MemberFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides from the failures of a segment how large its next batch is, how long it pauses before, and which members
 * handle it apart from the others. If a batch fails, the next batch has a tenth of its size, and so on, down to a
 * single event. After each success the size doubles. A member that has failed twice in a row is apart, until it handles
 * a batch without a failure. The class is not thread-safe.
 */
final class BatchBackoff {

    private static final Logger log = LoggerFactory.getLogger(BatchBackoff.class);

    /** The most events of a batch. With so many, the transaction costs little compared with the events. */
    private static final int EVENTS_PER_BATCH_MAX = 500;

    /**
     * How many times smaller the next batch is after a failure. A batch that was too large, or took too long, is first
     * divided into smaller batches.
     */
    private static final int DIVISOR_AFTER_FAILURE = 10;

    /** How often in a row a member fails together with the others. A failure may be over after a pause. */
    private static final int FAILURES_TOGETHER_MAX = 2;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    private final String processor;
    private final ProcessorDependencies parts;

    /** How often in a row each member has failed. Failures during an outage do not count. */
    private final Map<String, Integer> failures = new HashMap<>();

    private int eventsMax = EVENTS_PER_BATCH_MAX;
    private Duration pause = FIRST_PAUSE;

    BatchBackoff(String processor, ProcessorDependencies parts) {
        this.processor = processor;
        this.parts = parts;
    }

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

    /**
     * Returns whether a member handles the next batch apart from the others: it has failed too often. Each event that
     * fails alone is parked then.
     */
    boolean isApart(ProcessorMember member) {
        return failures.getOrDefault(member.name(), 0) >= FAILURES_TOGETHER_MAX;
    }

    /** @param failing the members that have parked an event of the batch */
    void handled(Set<String> failing) {
        failures.keySet().retainAll(failing);
        eventsMax = Math.min(2 * eventsMax, EVENTS_PER_BATCH_MAX);
        pause = FIRST_PAUSE;
    }

    /**
     * @param batch the batch that has failed; null if the log could not be read
     * @param members the members that may have failed, if the failure does not name one
     */
    void failed(Exception failure, @Nullable SegmentBatch batch, List<ProcessorMember> members) {
        if (parts.failureClassifier().lockWaitedFor(failure).isPresent()) {
            // Neither the events nor PostgreSQL are at fault. The batch is not divided, and the pause is short because
            // the wait for the lock was long.
            log.warn("The processor {} has waited for a lock, and tries again: {}", processor, parts.textOf(failure));
            pause = FIRST_PAUSE;
        } else if (batch == null) {
            log.warn("The processor {} cannot read the log: {}. It tries again.", processor, failure.toString());
        } else if (failure instanceof ParkedSequences.ParkedEventLimitException) {
            // The event itself has not failed.
            log.warn(
                    "The processor {} stands still at event {}: {}. Retry or drop parked events at the desk.",
                    processor,
                    batch.first(),
                    failure.getMessage());
        } else {
            if (!parts.failureClassifier().isOutage(failure)) {
                failedMembers(failure, members).forEach(member -> failures.merge(member, 1, Integer::sum));
            }
            eventsMax = Math.max(1, batch.size() / DIVISOR_AFTER_FAILURE);
            log.warn(
                    "The processor {} failed with {} events from {} on: {}. It tries again with at most {}.",
                    processor,
                    batch.size(),
                    batch.first(),
                    textOf(failure),
                    eventsMax);
        }
    }

    private static Set<String> failedMembers(Exception failure, List<ProcessorMember> members) {
        return MemberFailedException.in(failure)
                .map(failed -> Set.of(failed.member()))
                .orElseGet(() -> members.stream().map(ProcessorMember::name).collect(Collectors.toSet()));
    }

    private String textOf(Exception failure) {
        return MemberFailedException.in(failure)
                .filter(failed -> !failed.member().equals(processor))
                .map(failed -> failed.member() + ", " + failed.getMessage())
                .orElseGet(() -> MemberFailedException.causeOf(failure).toString());
    }
}
