package lottery.store.log;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event as a row of the table, without its position.
 *
 * @param aggregateId the aggregate's id; for an event without an aggregate, the event's own id
 * @param aggregateType null: the event has no aggregate
 * @param at the time as PostgreSQL keeps it, to the microsecond
 * @param type the stable name of the event
 */
@SuppressWarnings("ArrayRecordComponent") // The bytes of a row are passed on, and never compared.
public record EventRow(
        String aggregateId,
        int sequence,
        @Nullable String aggregateType,
        UUID id,
        Instant at,
        String type,
        @Nullable String revision,
        byte[] payload,
        byte[] metadata) {

    /** An aggregate and a sequence number in its stream, which only one event can have. */
    public record StreamPosition(String aggregateId, int sequence) {}

    public StreamPosition place() {
        return new StreamPosition(aggregateId, sequence);
    }

    public int bytes() {
        return payload.length + metadata.length;
    }
}
