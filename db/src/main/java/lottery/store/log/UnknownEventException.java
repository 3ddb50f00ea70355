package lottery.store.log;

import java.util.Collection;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.serialization.UnknownSerializedType;

/**
 * Thrown if an event has a type or a revision that only a newer version of the application knows. A process that passed
 * over the event would leave its work undone, so a process of the newer version must handle it.
 */
public final class UnknownEventException extends RuntimeException {

    private UnknownEventException(TrackedEventMessage<?> event) {
        super("event %d has the type %s, which only a newer version knows"
                .formatted(
                        event.trackingToken().position().orElse(0),
                        ((UnknownSerializedType) event.getPayload())
                                .serializedType()
                                .getName()));
    }

    /** Returns whether only a newer version knows the event. */
    public static boolean isUnknown(TrackedEventMessage<?> event) {
        return event.getPayloadType() == UnknownSerializedType.class;
    }

    /**
     * Requires that this process knows all events.
     *
     * @throws UnknownEventException if it does not know one of them
     */
    public static void requireKnown(Collection<TrackedEventMessage<?>> events) {
        for (TrackedEventMessage<?> event : events) {
            if (isUnknown(event)) {
                throw new UnknownEventException(event);
            }
        }
    }
}
