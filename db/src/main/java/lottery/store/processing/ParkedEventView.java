package lottery.store.processing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A parked event as it is shown to a person: a processor could not handle it, or it waits behind another one.
 *
 * @param sequence identifies the events that must not overtake each other
 * @param type the event's stable name
 * @param aggregateId the aggregate of the event
 * @param cause why it could not be handled the last time
 * @param behind how many events wait behind it
 * @param droppedBecause why a person dropped it; null: it waits
 * @param droppedAt when a person dropped it, if that was noted
 */
public record ParkedEventView(
        String processor,
        String sequence,
        long position,
        @Nullable String type,
        @Nullable String aggregateId,
        String cause,
        int attempts,
        Instant parkedAt,
        Instant retryAt,
        long behind,
        @Nullable String droppedBecause,
        @Nullable Instant droppedAt) {}
