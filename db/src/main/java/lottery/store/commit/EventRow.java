package lottery.store.commit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericTrackedDomainEventMessage;
import org.axonframework.eventhandling.GenericTrackedEventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.Message;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * One event as it is written to the table, together with its message, which readers in the same process get.
 *
 * @param aggregateId the aggregate's id; for an event without an aggregate, the event's own id
 * @param at the time as PostgreSQL keeps it, to the microsecond
 */
record EventRow(
        EventMessage<?> message,
        String aggregateId,
        int sequence,
        @Nullable String aggregateType,
        String id,
        Instant at,
        SerializedObject<byte[]> payload,
        SerializedObject<byte[]> metadata) {

    static EventRow of(EventMessage<?> message, Serializer serializer) {
        DomainEventMessage<?> domain = message instanceof DomainEventMessage<?> event ? event : null;
        return new EventRow(
                message,
                domain == null ? message.getIdentifier() : domain.getAggregateIdentifier(),
                domain == null ? 0 : Math.toIntExact(domain.getSequenceNumber()),
                domain == null ? null : domain.getType(),
                UUID.fromString(message.getIdentifier()).toString(),
                message.getTimestamp().truncatedTo(ChronoUnit.MICROS),
                message.serializePayload(serializer, byte[].class),
                message.serializeMetaData(serializer, byte[].class));
    }

    /** An aggregate and a sequence number in its stream, which only one event can have. */
    record StreamPosition(String aggregateId, int sequence) {}

    StreamPosition place() {
        return new StreamPosition(aggregateId, sequence);
    }

    int bytes() {
        return payload.getData().length + metadata.getData().length;
    }

    /**
     * Returns the event for readers. It shares the payload object and does not copy it. It lacks the serialized form,
     * which is in the table and would only fill the memory.
     */
    TrackedEventMessage<?> at(long position) {
        GlobalSequenceTrackingToken token = new GlobalSequenceTrackingToken(position);
        Message<?> content = new GenericMessage<>(message.getIdentifier(), message.getPayload(), message.getMetaData());
        Instant happened = at;
        return message instanceof DomainEventMessage<?> domain
                ? new GenericTrackedDomainEventMessage<>(
                        token, aggregateType, aggregateId, domain.getSequenceNumber(), content, () -> happened)
                : new GenericTrackedEventMessage<>(token, content, () -> happened);
    }
}
