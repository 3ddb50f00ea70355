package lottery.store.axon;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.axonframework.serialization.UnknownSerializedType;

/**
 * Thrown if an event has a type or a revision that only a newer version of the application knows. A process that passed
 * over the event would leave its work undone or decide wrongly, so a process of the newer version must handle it.
 */
public final class UnknownEventException extends EventStoreException {

    private UnknownEventException(EventMessage<?> event) {
        super("event %s has the type %s, which only a newer version knows"
                .formatted(
                        placeOf(event),
                        ((UnknownSerializedType) event.getPayload())
                                .serializedType()
                                .getName()));
    }

    private static String placeOf(EventMessage<?> event) {
        return switch (event) {
            case TrackedEventMessage<?> tracked ->
                Long.toString(tracked.trackingToken().position().orElse(0));
            case DomainEventMessage<?> domain -> domain.getSequenceNumber() + " of " + domain.getAggregateIdentifier();
            default -> event.getIdentifier();
        };
    }

    /** Returns whether only a newer version knows the event. */
    public static boolean isUnknown(EventMessage<?> event) {
        return event.getPayloadType() == UnknownSerializedType.class;
    }

    /**
     * Requires that this process knows the event.
     *
     * @throws UnknownEventException if it does not
     */
    public static void requireKnown(EventMessage<?> event) {
        if (isUnknown(event)) {
            throw new UnknownEventException(event);
        }
    }
}
