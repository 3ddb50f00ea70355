package lottery.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message as a CloudEvent")
class CloudEventCodecTest {

    private static final String TYPE = "test.note.v1";

    record Note(int number, @Nullable String text) {

        Note {
            if (number < 1) {
                throw new IllegalArgumentException("numbers count from 1");
            }
        }
    }

    @Test
    @DisplayName("The headers are those of CloudEvents 1.0, and the content is JSON without absent fields.")
    void sealed() {
        ProducerRecord<String, byte[]> record = CloudEventCodec.encode(new OutgoingMessage(
                "topic",
                "key",
                "id-1",
                TYPE,
                "/source",
                "subject",
                Instant.parse("2026-11-21T04:00:00.5Z"),
                new Note(1, null),
                Map.of("mood", "good")));

        assertThat(record.topic()).isEqualTo("topic");
        assertThat(record.key()).isEqualTo("key");
        assertThat(new String(record.value(), UTF_8)).isEqualTo("{\"number\":1}");
        Map<String, String> headers = new HashMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        assertThat(headers)
                .isEqualTo(Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", "id-1",
                        "ce_type", TYPE,
                        "ce_source", "/source",
                        "ce_subject", "subject",
                        "ce_time", "2026-11-21T04:00:00.500Z",
                        "ce_mood", "good",
                        "content-type", "application/json"));
    }

    @Test
    @DisplayName("An extension can be read without decoding the content.")
    void extension() {
        ConsumerRecord<String, byte[]> message = new ConsumerRecord<>("topic", 0, 0, "key", null);
        message.headers().add("ce_mood", "good".getBytes(UTF_8));
        message.headers().add("ce_nothing", null);
        assertThat(CloudEventCodec.extension(message, "mood")).contains("good");
        assertThat(CloudEventCodec.extension(message, "nothing")).isEmpty();
        assertThat(CloudEventCodec.extension(message, "age")).isEmpty();
    }

    @Test
    @DisplayName("The trace of the request is in two headers, both of which are read; invalid ones are ignored.")
    void traced() {
        TraceId id = TraceId.fresh();
        OutgoingMessage message = new OutgoingMessage(
                "topic", "key", "id-1", TYPE, "/source", "subject", Instant.EPOCH, new Note(1, null));
        ProducerRecord<String, byte[]> sealed = CloudEventCodec.encode(message.traced(id));
        for (String name : List.of("traceparent", "ce_traceparent")) {
            byte[] parent = sealed.headers().lastHeader(name).value();
            assertThat(new String(parent, UTF_8)).isEqualTo(id.traceparent("id-1"));
            ConsumerRecord<String, byte[]> received = new ConsumerRecord<>("topic", 0, 0, "key", null);
            received.headers().add(name, parent);
            assertThat(CloudEventCodec.trace(received)).contains(id);
        }
        ConsumerRecord<String, byte[]> stranger = new ConsumerRecord<>("topic", 0, 0, "key", null);
        stranger.headers().add("traceparent", "nonsense".getBytes(UTF_8));
        stranger.headers().add("ce_traceparent", null);
        assertThat(CloudEventCodec.trace(stranger)).isEmpty();
        assertThat(CloudEventCodec.encode(message.traced()).headers().lastHeader("traceparent"))
                .isNull();
    }

    @Test
    @DisplayName("A message can be decoded, and fields of a newer writer are skipped.")
    void opened() {
        Note note = open("{\"number\":1,\"text\":\"hello\",\"mood\":\"good\"}");
        assertThat(note).isEqualTo(new Note(1, "hello"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"number\":1",
                "null",
                "[]",
                "7",
                "{}",
                "{\"number\":\"one\"}",
                "{\"number\":0}",
                "{}{}"
            })
    @DisplayName("A message with invalid content is unreadable.")
    void contentWithoutSense(String content) {
        assertThatThrownBy(() -> open(content))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("content");
    }

    @Test
    @DisplayName("A message without content is unreadable.")
    void noContent() {
        assertThatThrownBy(() -> open((String) null)).isInstanceOf(UnreadableMessageException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ce_specversion", "ce_type", "ce_id", "ce_source"})
    @DisplayName("A message without a required header is unreadable.")
    void missingHeader(String name) {
        Map<String, String> headers = headers();
        headers.remove(name);
        assertThatThrownBy(() -> open("{\"number\":1}", headers))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessage("there is no " + name);
    }

    @ParameterizedTest
    @CsvSource({"ce_type, test.other.v1", "ce_type, test.note.v2", "ce_specversion, 2.0"})
    @DisplayName("A message of another type, a future version or another CloudEvents version is unreadable.")
    void anotherKind(String name, String value) {
        Map<String, String> headers = headers();
        headers.put(name, value);
        assertThatThrownBy(() -> open("{\"number\":1}", headers))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }

    private static Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", "1.0");
        headers.put("ce_id", "id-1");
        headers.put("ce_type", TYPE);
        headers.put("ce_source", "/source");
        return headers;
    }

    private static Note open(@Nullable String content) {
        return open(content, headers());
    }

    private static Note open(@Nullable String content, Map<String, String> headers) {
        ConsumerRecord<String, byte[]> record = record(content == null ? null : content.getBytes(UTF_8));
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        return CloudEventCodec.decode(record, TYPE, Note.class);
    }

    private static ConsumerRecord<String, byte[]> record(byte @Nullable [] value) {
        return new ConsumerRecord<>("topic", 0, 0, "key", value);
    }
}
