package lottery.store.axon;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import lottery.store.log.EventRow;
import lottery.store.log.LogRow;
import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventData;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventEntry;
import org.axonframework.eventhandling.GenericTrackedDomainEventMessage;
import org.axonframework.eventhandling.GenericTrackedEventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedDomainEventData;
import org.axonframework.eventhandling.TrackedEventData;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.Message;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.Serializer;

/** Converts Axon's messages to rows of the log, and rows to what Axon makes messages of. */
final class EventRowConverter {

    private EventRowConverter() {}

    static EventRow row(EventMessage<?> message, Serializer serializer) {
        DomainEventMessage<?> domain = message instanceof DomainEventMessage<?> event ? event : null;
        SerializedObject<byte[]> payload = message.serializePayload(serializer, byte[].class);
        return new EventRow(
                domain == null ? message.getIdentifier() : domain.getAggregateIdentifier(),
                domain == null ? 0 : Math.toIntExact(domain.getSequenceNumber()),
                domain == null ? null : domain.getType(),
                UUID.fromString(message.getIdentifier()),
                message.getTimestamp().truncatedTo(ChronoUnit.MICROS),
                payload.getType().getName(),
                payload.getType().getRevision(),
                payload.getData(),
                message.serializeMetaData(serializer, byte[].class).getData());
    }

    /**
     * Returns an event that was just written, for readers of this process. It shares the payload object and does not
     * copy it. It lacks the serialized form, which is in the table and would only fill the memory.
     */
    static TrackedEventMessage<?> written(EventMessage<?> message, EventRow row, long position) {
        GlobalSequenceTrackingToken token = new GlobalSequenceTrackingToken(position);
        Message<?> content = new GenericMessage<>(message.getIdentifier(), message.getPayload(), message.getMetaData());
        return message instanceof DomainEventMessage<?> domain
                ? new GenericTrackedDomainEventMessage<>(
                        token, row.aggregateType(), row.aggregateId(), domain.getSequenceNumber(), content, row::at)
                : new GenericTrackedEventMessage<>(token, content, row::at);
    }

    static DomainEventData<byte[]> domainEvent(EventRow row) {
        return new PreciseEventEntry(row);
    }

    static TrackedEventData<byte[]> trackedEvent(LogRow event) {
        TrackingToken token = new GlobalSequenceTrackingToken(event.position());
        DomainEventData<byte[]> data = domainEvent(event.row());
        return data.getType() == null
                ? new NonAggregateEventData(token, data)
                : new TrackedDomainEventData<>(token, data);
    }

    /**
     * An entry that keeps an event's time in microseconds, as its writer had it. Axon's own entry keeps milliseconds
     * only.
     */
    private static final class PreciseEventEntry extends GenericDomainEventEntry<byte[]> {

        private final Instant at;

        PreciseEventEntry(EventRow row) {
            super(
                    row.aggregateType(),
                    row.aggregateId(),
                    row.sequence(),
                    row.id().toString(),
                    row.at(),
                    row.type(),
                    row.revision(),
                    row.payload(),
                    row.metadata());
            this.at = row.at();
        }

        @Override
        public Instant getTimestamp() {
            return at;
        }
    }

    /** An event that was published without an aggregate, and is read without one. */
    private record NonAggregateEventData(TrackingToken trackingToken, EventData<byte[]> event)
            implements TrackedEventData<byte[]> {

        @Override
        public String getEventIdentifier() {
            return event.getEventIdentifier();
        }

        @Override
        public Instant getTimestamp() {
            return event.getTimestamp();
        }

        @Override
        public SerializedObject<byte[]> getMetaData() {
            return event.getMetaData();
        }

        @Override
        public SerializedObject<byte[]> getPayload() {
            return event.getPayload();
        }
    }
}
