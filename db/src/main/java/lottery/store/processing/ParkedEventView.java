package lottery.store.processing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A parked event as it is shown to an operator. A processor could not handle it, or it waits behind another parked
 * event.
 *
 * @param sequence identifies the events that must not overtake each other
 * @param position the number of its {@link lottery.store.log.LogPosition}
 * @param type the event's stable name
 * @param aggregateId the aggregate of the event
 * @param cause why the last attempt to handle it failed
 * @param behind how many events wait behind it
 * @param droppedBecause why an operator dropped it; null: it waits
 * @param droppedAt when an operator dropped it; null: it waits
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
