package lottery.journey.letter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;

/** What letters look like on their way. */
public final class Sealed {

    private Sealed() {}

    /** The content as the JSON that its readers get. */
    public static String jsonOf(Object content) {
        Letter letter = new Letter("topic", "key", "id", "type", "/source", "subject", Instant.EPOCH, content);
        return new String(Envelope.seal(letter).value(), UTF_8);
    }
}
