package lottery.messaging;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import lottery.store.trace.TraceId;
import org.jspecify.annotations.Nullable;

/**
 * A message that leaves the lottery: a CloudEvent.
 *
 * @param key messages with the same key arrive in the order in which they were sent
 * @param id the same in each copy of a message, so that its receiver can tell a copy from news
 * @param type a stable name with the version of the content's shape
 * @param source who writes; with the id it is unique
 * @param time when that happened which the message is about
 * @param content what becomes the JSON
 * @param extensions further attributes of the CloudEvent by their names, for who decides without its content
 */
public record OutgoingMessage(
        String topic,
        String key,
        String id,
        String type,
        String source,
        String subject,
        Instant time,
        Object content,
        Map<String, String> extensions) {

    /** A message whose content says all. */
    public OutgoingMessage(
            String topic,
            String key,
            String id,
            String type,
            String source,
            String subject,
            Instant time,
            Object content) {
        this(topic, key, id, type, source, subject, time, content, Map.of());
    }

    /** Says what request it follows from: the one that this thread works for, if there is one. */
    public OutgoingMessage traced() {
        return traced(TraceId.current().orElse(null));
    }

    /** The same message, sent again, says the same. */
    public OutgoingMessage traced(@Nullable TraceId trace) {
        if (trace == null) {
            return this;
        }
        Map<String, String> more = new HashMap<>(extensions);
        more.put(TraceId.TRACEPARENT, trace.traceparent(id));
        return new OutgoingMessage(topic, key, id, type, source, subject, time, content, more);
    }
}
