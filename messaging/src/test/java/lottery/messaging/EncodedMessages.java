package lottery.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;

/** What messages look like on their way. */
public final class EncodedMessages {

    private EncodedMessages() {}

    /** The content as the JSON that its readers get. */
    public static String jsonOf(Object content) {
        OutgoingMessage message =
                new OutgoingMessage("topic", "key", "id", "type", "/source", "subject", Instant.EPOCH, content);
        return new String(CloudEventCodec.encode(message).value(), UTF_8);
    }
}
