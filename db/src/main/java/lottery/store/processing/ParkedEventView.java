package lottery.store.processing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that a processor could not handle, or that waits behind such a one, as a person wants to see it.
 *
 * @param sequence what all events share that must not overtake each other
 * @param type the event's stable name
 * @param aggregateId whose event it is
 * @param cause why it could not be handled the last time
 * @param behind how many wait behind it
 * @param droppedBecause why a person gave it up; null: it waits
 * @param droppedAt when a person gave it up, if that was noted
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
