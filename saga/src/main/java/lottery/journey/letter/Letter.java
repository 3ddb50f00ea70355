package lottery.journey.letter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that leaves the lottery: a CloudEvent.
 *
 * @param key letters with the same key arrive in the order in which they were sent
 * @param id the same in each copy of a letter, so that its receiver can tell a copy from news
 * @param type a stable name with the version of the content's shape
 * @param source who writes; with the id it is unique
 * @param time when that happened which the letter is about
 * @param content what becomes the JSON
 * @param position where that stands in the log of all events; none: it is not of one event
 */
public record Letter(
        String topic,
        String key,
        String id,
        String type,
        String source,
        String subject,
        Instant time,
        Object content,
        @Nullable Long position) {

    /** A letter that is not of one event. */
    public Letter(
            String topic,
            String key,
            String id,
            String type,
            String source,
            String subject,
            Instant time,
            Object content) {
        this(topic, key, id, type, source, subject, time, content, null);
    }
}
