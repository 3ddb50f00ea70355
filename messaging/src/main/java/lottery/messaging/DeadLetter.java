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
 * A record on a dead-letter topic. No field is trusted, because other systems may write to that topic. A retry goes to
 * the topic to which the dead-letter topic belongs, whatever the headers say.
 *
 * @param found the record as it was read
 */
public record DeadLetter(ConsumerRecord<String, byte[]> found) {

    /** The longest text that is shown to an operator. */
    private static final int PREVIEW_LENGTH_MAX = 300;

    private static final int NAME_LENGTH_MAX = 200;

    /** The end of the year 9999, the latest time that is shown. A timestamp may have any value. */
    private static final long TIME_MAX_MS = 253_402_300_799_999L;

    private static final String NO_CAUSE = "no cause was given";

    /** The prefix of the headers that were added to the dead letter; a retry removes them. */
    private static final String ADDED = "kafka_dlt-";

    /** An unpaired surrogate, or a control character that a terminal would obey. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

    /** Returns the original topic of the message. */
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

    /** Returns the cause as a text for operators. */
    public String cause() {
        return textOf(header(KafkaDeadLetterConfiguration.CAUSE), PREVIEW_LENGTH_MAX, NO_CAUSE);
    }

    public String type() {
        return textOf(header(CloudEventCodec.TYPE), NAME_LENGTH_MAX, "");
    }

    public String key() {
        @Nullable String key = found.key();
        return key == null ? "" : fit(key, NAME_LENGTH_MAX);
    }

    /** Returns the first few hundred characters of the content. */
    public String preview() {
        return textOf(found.value(), PREVIEW_LENGTH_MAX, "");
    }

    /** Returns the size of the content in bytes; for a note, the size of the whole original message. */
    public int size() {
        byte @Nullable [] content = found.value();
        return isNote() ? noted() : content == null ? 0 : content.length;
    }

    /**
     * Returns whether this is only a note in place of the message. The message itself was too large, and is only on its
     * original topic.
     */
    public boolean isNote() {
        return found.value() == null && header(KafkaDeadLetterConfiguration.SIZE) != null;
    }

    private int noted() {
        String size = textOf(header(KafkaDeadLetterConfiguration.SIZE), PREVIEW_LENGTH_MAX, "0");
        return size.matches("\\d{1,9}") ? Integer.parseInt(size) : 0;
    }

    /** Returns the size in bytes, with the key and all headers. */
    public long weight() {
        return KafkaDeadLetterConfiguration.sizeOf(found);
    }

    /** Returns the headers that the message had before it became a dead letter. */
    public List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        for (Header header : found.headers()) {
            if (!header.key().equals(KafkaDeadLetterConfiguration.CAUSE)
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
        // A character has at most four bytes, so later bytes are not shown anyway.
        return fit(new String(bytes, 0, Math.min(bytes.length, 4 * lengthMax), UTF_8), lengthMax);
    }

    private static String fit(String text, int lengthMax) {
        String begin = text.length() <= lengthMax ? text : text.substring(0, lengthMax);
        return UNFIT.matcher(begin).replaceAll(" ");
    }
}
