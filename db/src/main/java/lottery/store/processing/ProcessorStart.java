package lottery.store.processing;

import java.util.function.Function;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.messaging.StreamableMessageSource;

/**
 * Decides where a processor without a token begins. Without a bean of this type for a processor, it begins with the
 * oldest event of each log.
 *
 * @param processor the name of the processor, which is that of its processing group unless it is shared
 * @param isInEachProcess whether each process follows the logs by itself, with tokens that end with the process
 */
public record ProcessorStart(
        String processor,
        Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> token,
        boolean isInEachProcess) {

    /** Begins in each process with the next event that comes. */
    public static ProcessorStart inEachProcess(String processor) {
        return new ProcessorStart(processor, StreamableMessageSource::createHeadToken, true);
    }
}
