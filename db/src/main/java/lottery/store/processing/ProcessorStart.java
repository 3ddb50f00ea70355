package lottery.store.processing;

import java.util.function.Function;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.messaging.StreamableMessageSource;

/**
 * Decides where a processor without a token begins. Without a bean of this type for a processor, it begins with the
 * oldest event.
 *
 * @param processor the name of the processor, which is that of its processing group unless it is shared
 */
public record ProcessorStart(
        String processor, Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> token) {

    /** Begins with the next event that comes. */
    public static ProcessorStart atHead(String processor) {
        return new ProcessorStart(processor, StreamableMessageSource::createHeadToken);
    }
}
