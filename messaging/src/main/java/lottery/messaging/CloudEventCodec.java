package lottery.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Encodes and decodes CloudEvents 1.0 in Kafka's binary mode: the attributes are headers, and the content is JSON. */
public final class CloudEventCodec {

    /** The prefix of an attribute's header. */
    private static final String ATTRIBUTE = "ce_";

    private static final String SPEC_VERSION = "ce_specversion";
    private static final String ID = "ce_id";
    static final String TYPE = "ce_type";
    private static final String SOURCE = "ce_source";
    private static final String SUBJECT = "ce_subject";
    private static final String TIME = "ce_time";
    private static final String CONTENT_TYPE = "content-type";

    private static final String SPEC_VERSION_SPOKEN = "1.0";

    /**
     * The mapper of messages. It is not the mapper of the application, because the contracts differ: the writer of a
     * message may send fields that its reader does not know yet.
     */
    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private CloudEventCodec() {}

    /** Encodes a message for the topic and key that it names. */
    public static ProducerRecord<String, byte[]> encode(OutgoingMessage message) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(message.topic(), message.key(), JSON.writeValueAsBytes(message.content()));
        Headers headers = record.headers();
        headers.add(SPEC_VERSION, SPEC_VERSION_SPOKEN.getBytes(UTF_8));
        headers.add(ID, message.id().getBytes(UTF_8));
        headers.add(TYPE, message.type().getBytes(UTF_8));
        headers.add(SOURCE, message.source().getBytes(UTF_8));
        headers.add(SUBJECT, message.subject().getBytes(UTF_8));
        headers.add(TIME, message.time().toString().getBytes(UTF_8));
        headers.add(CONTENT_TYPE, "application/json".getBytes(UTF_8));
        message.extensions().forEach((name, value) -> headers.add(ATTRIBUTE + name, value.getBytes(UTF_8)));
        // The header also gets its standard name, because tools that trace Kafka messages look for that name.
        Optional.ofNullable(message.extensions().get(TraceId.TRACEPARENT))
                .ifPresent(trace -> headers.add(TraceId.TRACEPARENT, trace.getBytes(UTF_8)));
        return record;
    }

    /**
     * Returns the content of a message, which must have the given type.
     *
     * @throws UnreadableMessageException for any fault of the message
     */
    public static <T> T decode(ConsumerRecord<String, byte[]> record, String type, Class<T> content) {
        expect(SPEC_VERSION_SPOKEN, SPEC_VERSION, record);
        expect(type, TYPE, record);
        require(ID, record);
        require(SOURCE, record);
        byte @Nullable [] json = record.value();
        if (json == null) {
            throw new UnreadableMessageException("there is no content");
        }
        return parse(json, content);
    }

    private static <T> T parse(byte[] json, Class<T> content) {
        try {
            @Nullable T parsed = JSON.readValue(json, content);
            if (parsed == null) {
                throw new UnreadableMessageException("the content is null");
            }
            return parsed;
        } catch (JacksonException e) {
            throw new UnreadableMessageException("the content is not understood: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Returns a required attribute, without decoding the content.
     *
     * @throws UnreadableMessageException if it is missing or empty
     */
    public static String attribute(ConsumerRecord<String, byte[]> record, String name) {
        return require(ATTRIBUTE + name, record);
    }

    /** Returns an extension attribute, without decoding the content. */
    public static Optional<String> extension(ConsumerRecord<String, byte[]> record, String name) {
        return header(record, ATTRIBUTE + name);
    }

    /** Returns the trace id of the request that a message follows from, if it has a valid one. */
    public static Optional<TraceId> trace(ConsumerRecord<?, ?> record) {
        return header(record, TraceId.TRACEPARENT)
                .flatMap(TraceId::ofTraceparent)
                .or(() -> header(record, ATTRIBUTE + TraceId.TRACEPARENT).flatMap(TraceId::ofTraceparent));
    }

    private static Optional<String> header(ConsumerRecord<?, ?> record, String name) {
        return Optional.ofNullable(record.headers().lastHeader(name))
                .flatMap(header -> Optional.ofNullable(header.value()))
                .map(value -> new String(value, UTF_8));
    }

    private static void expect(String expected, String name, ConsumerRecord<String, byte[]> record) {
        String found = require(name, record);
        if (!found.equals(expected)) {
            throw new UnreadableMessageException(name + " is not " + expected + " but " + found);
        }
    }

    private static String require(String name, ConsumerRecord<String, byte[]> record) {
        @Nullable Header header = record.headers().lastHeader(name);
        byte @Nullable [] value = header == null ? null : header.value();
        if (value == null || value.length == 0) {
            throw new UnreadableMessageException("there is no " + name);
        }
        return new String(value, UTF_8);
    }
}
