package lottery.messaging;

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
 * A message that was put aside, as it is found on the topic for dead letters. Strangers may write there, too: nothing
 * of it is taken for granted. Its way back is the topic that it was found behind, whatever its headers say.
 *
 * @param found as it came
 */
public record DeadLetter(ConsumerRecord<String, byte[]> found) {

    /** A first look at it. */
    private static final int PREVIEW_LENGTH_MAX = 300;

    private static final int NAME_LENGTH_MAX = 200;

    /** What a stranger says may be beyond any calendar; this is the end of the year 9999. */
    private static final long TIME_MAX_MS = 253_402_300_799_999L;

    private static final String NO_CAUSE = "no cause was given";

    /** What was added when it was put aside; it leaves again without. */
    private static final String ADDED = "kafka_dlt-";

    /** Half of a character, or one that a terminal obeys. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

    /** The topic from which it was put aside. */
    public String topic() {
        String topic = found.topic();
        return topic.endsWith(KafkaTopics.DEAD_LETTER_SUFFIX)
                ? topic.substring(0, topic.length() - KafkaTopics.DEAD_LETTER_SUFFIX.length())
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
        return Instant.ofEpochMilli(Math.clamp(found.timestamp(), 0, TIME_MAX_MS));
    }

    /** For people, as the following are. */
    public String cause() {
        return textOf(header(DeadLetterConfiguration.CAUSE), PREVIEW_LENGTH_MAX, NO_CAUSE);
    }

    public String type() {
        return textOf(header(CloudEventCodec.TYPE), NAME_LENGTH_MAX, "");
    }

    public String key() {
        @Nullable String key = found.key();
        return key == null ? "" : fit(key, NAME_LENGTH_MAX);
    }

    /** The first few hundred characters. */
    public String preview() {
        return textOf(found.value(), PREVIEW_LENGTH_MAX, "");
    }

    /** Of its content; of a message that has left a note, of all of it. */
    public int size() {
        byte @Nullable [] content = found.value();
        return isNote() ? noted() : content == null ? 0 : content.length;
    }

    /** Whether it was too large to be put aside itself: it is where it was, and cannot be sent again from here. */
    public boolean isNote() {
        return found.value() == null && header(DeadLetterConfiguration.SIZE) != null;
    }

    private int noted() {
        String size = textOf(header(DeadLetterConfiguration.SIZE), PREVIEW_LENGTH_MAX, "0");
        return size.matches("\\d{1,9}") ? Integer.parseInt(size) : 0;
    }

    /** With its key and all that it came with, in bytes. */
    public long weight() {
        return DeadLetterConfiguration.sizeOf(found);
    }

    /** Those that it came with, before it was put aside. */
    public List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        for (Header header : found.headers()) {
            if (!header.key().equals(DeadLetterConfiguration.CAUSE)
                    && !header.key().startsWith(ADDED)) {
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
