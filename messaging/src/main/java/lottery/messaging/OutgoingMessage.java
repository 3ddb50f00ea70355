package lottery.messaging;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import lottery.store.trace.TraceId;
import org.jspecify.annotations.Nullable;

/**
 * A message that the lottery publishes: a CloudEvent.
 *
 * @param key messages with the same key arrive in the order in which they were sent
 * @param id identifies the message; each copy has the same id, so that a receiver recognises copies
 * @param type a stable name with the version of the content's schema
 * @param source the sender; source and id together are unique
 * @param time the time of the fact that the message reports
 * @param content the object that becomes the JSON
 * @param extensions further attributes of the CloudEvent by name, for receivers that decide about the message without
 *     decoding the content
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

    /** Makes a message without extensions. */
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

    /** Adds the trace id of the request that this thread works for, if there is one. */
    public OutgoingMessage traced() {
        return traced(TraceId.current().orElse(null));
    }

    /** Adds a trace id. If the same message is sent again, it has the same {@code traceparent}. */
    public OutgoingMessage traced(@Nullable TraceId trace) {
        if (trace == null) {
            return this;
        }
        Map<String, String> more = new HashMap<>(extensions);
        more.put(TraceId.TRACEPARENT, trace.traceparent(id));
        return new OutgoingMessage(topic, key, id, type, source, subject, time, content, more);
    }
}
