package lottery.journey.letter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * A letter that was put aside, as it is found on its topic. Strangers may write there, too: nothing of it is taken for
 * granted, and its way back is the topic that it was found behind, whatever its headers say.
 *
 * @param found as it came
 */
public record DeadLetter(ConsumerRecord<String, byte[]> found) {

    /** A first look at it. */
    private static final int PREVIEW_LENGTH_MAX = 300;

    private static final int NAME_LENGTH_MAX = 200;
    private static final String NO_CAUSE = "no cause was given";

    /** What was added when it was put aside; it leaves again without. */
    private static final String ADDED = "kafka_dlt-";

    /** Half of a character, or one that a terminal obeys. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

    /** The topic on which it was a letter. */
    public String topic() {
        String topic = found.topic();
        return topic.endsWith(Topics.DEAD_LETTER_SUFFIX)
                ? topic.substring(0, topic.length() - Topics.DEAD_LETTER_SUFFIX.length())
                : topic;
    }

    public @Nullable Integer partition() {
        byte @Nullable [] value = header(KafkaHeaders.DLT_ORIGINAL_PARTITION);
        return value == null || value.length != Integer.BYTES
                ? null
                : ByteBuffer.wrap(value).getInt();
    }

    public @Nullable Long offset() {
        byte @Nullable [] value = header(KafkaHeaders.DLT_ORIGINAL_OFFSET);
        return value == null || value.length != Long.BYTES
                ? null
                : ByteBuffer.wrap(value).getLong();
    }

    public Instant diedAt() {
        return Instant.ofEpochMilli(Math.max(found.timestamp(), 0));
    }

    /** For people, as the following are. */
    public String cause() {
        return textOf(header(DeadLetters.CAUSE), PREVIEW_LENGTH_MAX, NO_CAUSE);
    }

    public String type() {
        return textOf(header(Envelope.TYPE), NAME_LENGTH_MAX, "");
    }

    public String key() {
        @Nullable String key = found.key();
        return key == null ? "" : fit(key, NAME_LENGTH_MAX);
    }

    /** The first few hundred characters. */
    public String preview() {
        return textOf(found.value(), PREVIEW_LENGTH_MAX, "");
    }

    public int size() {
        byte @Nullable [] content = found.value();
        return content == null ? 0 : content.length;
    }

    /** Those that it came with, before it was put aside. */
    public List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        for (Header header : found.headers()) {
            if (!header.key().equals(DeadLetters.CAUSE) && !header.key().startsWith(ADDED)) {
                headers.add(header);
            }
        }
        return headers;
    }

    private byte @Nullable [] header(String name) {
        @Nullable Header header = found.headers().lastHeader(name);
        return header == null ? null : header.value();
    }

    private static String textOf(byte @Nullable [] bytes, int lengthMax, String otherwise) {
        if (bytes == null) {
            return otherwise;
        }
        // No character has more than four bytes: what is further behind is not seen anyway.
        return fit(new String(bytes, 0, Math.min(bytes.length, 4 * lengthMax), UTF_8), lengthMax);
    }

    private static String fit(String text, int lengthMax) {
        String begin = text.length() <= lengthMax ? text : text.substring(0, lengthMax);
        return UNFIT.matcher(begin).replaceAll(" ");
    }
}
