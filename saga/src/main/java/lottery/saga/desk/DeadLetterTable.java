package lottery.saga.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.messaging.DeadLetter;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Stores all dead letters, and the decision about each. */
@Component
final class DeadLetterTable {

    /**
     * The largest content that is stored. An invoice has about a kilobyte. Larger messages stay on their topic, and are
     * read from there again if needed. So a flood of large messages does not fill the database.
     */
    static final int CONTENT_KEPT_BYTES_MAX = 64 << 10;

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    /** How many dead letters one statement deletes. The number keeps the statement within its time limit. */
    private static final int DELETED_AT_ONCE_MAX = 1_000;

    /** The most such statements in one run. The next run deletes the rest. */
    private static final int DELETIONS_MAX = 100;

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String KEEP = """
            INSERT INTO dead_letter (found_topic, found_partition, found_offset, died_at, topic, source_partition,
                                     source_offset, key, key_text, type, cause, headers, content, content_kept,
                                     size_bytes, preview)
            VALUES (:found_topic, :found_partition, :found_offset, :died_at, :topic, :source_partition,
                    :source_offset, :key, :key_text, :type, :cause, :headers, :content, :content_kept,
                    :size_bytes, :preview)
            ON CONFLICT DO NOTHING""";

    private static final String SHOWN = """
            SELECT id, topic, source_partition, source_offset, key_text, type, cause, died_at, size_bytes, preview,
                   state, decided_at, reason
            FROM dead_letter\s""";

    private static final String DECIDE = """
            UPDATE dead_letter SET state = :state, decided_at = clock_timestamp(), reason = :reason
            WHERE id = :id AND state = 'OPEN'""";

    /** Skips dead letters that another process deletes now. */
    private static final String DELETE = """
            DELETE FROM dead_letter WHERE id IN
                (SELECT id FROM dead_letter WHERE died_at < clock_timestamp() - make_interval(secs => :seconds)
                 ORDER BY id LIMIT :max FOR UPDATE SKIP LOCKED)""";

    private final JdbcClient database;

    DeadLetterTable(JdbcClient database) {
        this.database = database;
    }

    enum DeadLetterState {
        /** No decision was made yet. */
        OPEN,
        /** The message was sent again. If it fails again, it becomes another dead letter. */
        RETRIED,
        /** The message was given up. */
        DROPPED
    }

    /**
     * A dead letter as an operator sees it.
     *
     * @param topic the topic on which the message failed
     * @param partition the partition of that topic, if it is known
     * @param size the size of its content in bytes
     * @param preview the first few hundred characters of its content
     */
    record DeadLetterDetails(
            long id,
            String topic,
            @Nullable Integer partition,
            @Nullable Long offset,
            String key,
            String type,
            String cause,
            Instant diedAt,
            int size,
            String preview,
            DeadLetterState state,
            @Nullable Instant decidedAt,
            @Nullable String reason) {}

    /**
     * A message as it was before it became a dead letter.
     *
     * @param found the partition of the dead-letter topic that has the message
     * @param message the message; it has no content if the content is not stored here
     */
    record Original(
            TopicPartition found,
            long offset,
            Instant diedAt,
            boolean isContentKept,
            ProducerRecord<String, byte[]> message) {}

    /** Stores a dead letter once. A message that is read again is already stored, and is ignored. */
    void keep(DeadLetter message) {
        boolean kept = message.weight() <= CONTENT_KEPT_BYTES_MAX && !message.isNote();
        @Nullable String key = kept ? message.found().key() : null;
        ask(KEEP)
                .param("found_topic", message.found().topic())
                .param("found_partition", message.found().partition())
                .param("found_offset", message.found().offset())
                .param("died_at", message.diedAt().atOffset(ZoneOffset.UTC))
                .param("topic", message.topic())
                .param("source_partition", message.partition(), Types.INTEGER)
                .param("source_offset", message.offset(), Types.BIGINT)
                .param("key", key == null ? null : key.getBytes(UTF_8), Types.BINARY)
                .param("key_text", message.key())
                .param("type", message.type())
                .param("cause", message.cause())
                .param("headers", text(kept ? message.headers() : List.of()))
                .param("content", kept ? message.found().value() : null, Types.BINARY)
                .param("content_kept", kept)
                .param("size_bytes", message.size())
                .param("preview", message.preview())
                .update();
    }

    /** Returns a page of dead letters, the newest first. */
    List<DeadLetterDetails> before(long id, DeadLetterState state, List<String> topics, int max) {
        return ask(SHOWN + "WHERE state = :state AND topic IN (:topics) AND id < :id ORDER BY id DESC LIMIT :max")
                .param("state", state.name())
                .param("topics", topics)
                .param("id", id)
                .param("max", max)
                .query(DeadLetterTable::shown)
                .list();
    }

    Optional<DeadLetterDetails> find(long id) {
        return ask(SHOWN + "WHERE id = :id")
                .param("id", id)
                .query(DeadLetterTable::shown)
                .optional();
    }

    /** Returns how many dead letters wait for a decision, but counts no further than the maximum. */
    long open(int max) {
        return ask("SELECT count(*) FROM (SELECT FROM dead_letter WHERE state = 'OPEN' LIMIT :max) AS open")
                .param("max", max)
                .query(Long.class)
                .single();
    }

    /**
     * Decides about a dead letter, and returns whether it was open. Only the first decision counts. A second one at the
     * same time waits for the commit of the first, and then changes nothing.
     */
    boolean decide(long id, DeadLetterState state, @Nullable String reason) {
        return ask(DECIDE)
                        .param("state", state.name())
                        .param("reason", reason)
                        .param("id", id)
                        .update()
                == 1;
    }

    /**
     * Deletes messages that became dead letters longer ago than this, whether decided about or not. Returns how many
     * were deleted.
     */
    int delete(Duration olderThan) {
        int all = 0;
        int deleted = DELETED_AT_ONCE_MAX;
        for (int i = 0; i < DELETIONS_MAX && deleted == DELETED_AT_ONCE_MAX; i++) {
            deleted = ask(DELETE)
                    .param("seconds", olderThan.toSeconds())
                    .param("max", DELETED_AT_ONCE_MAX)
                    .update();
            all += deleted;
        }
        return all;
    }

    Original original(long id) {
        return ask("SELECT * FROM dead_letter WHERE id = :id")
                .param("id", id)
                .query((row, number) -> new Original(
                        new TopicPartition(row.getString("found_topic"), row.getInt("found_partition")),
                        row.getLong("found_offset"),
                        time(row, "died_at"),
                        row.getBoolean("content_kept"),
                        message(row)))
                .single();
    }

    /** Builds the message without a partition, because the partition follows from the key. */
    private static ProducerRecord<String, byte[]> message(ResultSet row) throws SQLException {
        byte @Nullable [] key = row.getBytes("key");
        return new ProducerRecord<>(
                row.getString("topic"),
                null,
                key == null ? null : new String(key, UTF_8),
                row.getBytes("content"),
                headers(row.getString("headers")));
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }

    private static String text(List<Header> headers) {
        return JSON.writeValueAsString(headers.stream()
                .map(header -> new @Nullable String[] {header.key(), base64(header.value())})
                .toList());
    }

    private static @Nullable String base64(byte @Nullable [] value) {
        return value == null ? null : Base64.getEncoder().encodeToString(value);
    }

    private static List<Header> headers(String text) {
        return Stream.of(JSON.readValue(text, String[][].class))
                .<Header>map(header -> new RecordHeader(header[0], bytes(header[1])))
                .toList();
    }

    private static byte @Nullable [] bytes(@Nullable String base64) {
        return base64 == null ? null : Base64.getDecoder().decode(base64);
    }

    private static DeadLetterDetails shown(ResultSet row, int number) throws SQLException {
        return new DeadLetterDetails(
                row.getLong("id"),
                row.getString("topic"),
                row.getObject("source_partition", Integer.class),
                row.getObject("source_offset", Long.class),
                row.getString("key_text"),
                row.getString("type"),
                row.getString("cause"),
                time(row, "died_at"),
                row.getInt("size_bytes"),
                row.getString("preview"),
                DeadLetterState.valueOf(row.getString("state")),
                row.getObject("decided_at") == null ? null : time(row, "decided_at"),
                row.getString("reason"));
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
