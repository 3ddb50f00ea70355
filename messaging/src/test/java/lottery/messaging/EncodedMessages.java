package lottery.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;

/** Encodes messages as they are sent. */
public final class EncodedMessages {

    private EncodedMessages() {}

    /** Returns the content as the JSON that readers get. */
    public static String jsonOf(Object content) {
        OutgoingMessage message =
                new OutgoingMessage("topic", "key", "id", "type", "/source", "subject", Instant.EPOCH, content);
        return new String(CloudEventCodec.encode(message).value(), UTF_8);
    }
}
