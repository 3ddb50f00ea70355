package lottery.store.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MetaData;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The trace id of W3C's Trace Context: 32 hexadecimal digits that identify everything that follows from one request.
 *
 * <p>A thread that works for a request has the id in the log's MDC. Messages have it in their metadata. Kafka records
 * and HTTP requests have it in a {@code traceparent}. Code that hands work to another thread passes the id on in the
 * message.
 *
 * @param text 32 hexadecimal digits in lower case, not all zeros
 */
public record TraceId(String text) {

    /** The key in the MDC and in the metadata of messages. */
    public static final String KEY = "traceId";

    /** The name of the header in HTTP requests and in Kafka records. */
    public static final String TRACEPARENT = "traceparent";

    private static final int DIGITS = 32;
    private static final int SPAN_DIGITS = 16;
    private static final int TRACEPARENT_LENGTH = 55;
    private static final int SPAN_AT = 36;
    private static final int FLAGS_AT = 53;
    private static final String VERSION = "00";
    private static final String NO_VERSION = "ff";

    /** The flags of a {@code traceparent}: this application records no spans, and does not know whether others do. */
    private static final String NOT_SAMPLED = "00";

    private static final long HASH_BASE = 0xcbf29ce484222325L;
    private static final long HASH_PRIME = 0x100000001b3L;

    public TraceId {
        if (text.length() != DIGITS || !isHex(text) || isZero(text)) {
            throw new IllegalArgumentException("a trace id has 32 hexadecimal digits, and not only zeros");
        }
    }

    /** Restores, when it is closed, the trace id that the thread had before. */
    @FunctionalInterface
    public interface TraceBinding extends AutoCloseable {

        @Override
        void close();
    }

    /** Returns a new, random trace id. */
    public static TraceId fresh() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        return new TraceId(hex.toHexDigits(random.nextLong() | 1) + hex.toHexDigits(random.nextLong()));
    }

    /** Returns the trace id in a text; empty if the text is none. */
    public static Optional<TraceId> of(String text) {
        return text.length() == DIGITS && isHex(text) && !isZero(text)
                ? Optional.of(new TraceId(text))
                : Optional.empty();
    }

    /** Returns the trace id that a message carries. */
    public static Optional<TraceId> in(Message<?> message) {
        return message.getMetaData().get(KEY) instanceof String text ? of(text) : Optional.empty();
    }

    /** Returns the trace id of the request that this thread works for. */
    public static Optional<TraceId> current() {
        @Nullable String text = MDC.get(KEY);
        return text == null ? Optional.empty() : of(text);
    }

    /**
     * Returns the trace id of a {@code traceparent}; empty if it is malformed, because callers from outside may send
     * any text.
     */
    public static Optional<TraceId> ofTraceparent(@Nullable String header) {
        if (header == null || header.length() < TRACEPARENT_LENGTH) {
            return Optional.empty();
        }
        String version = header.substring(0, 2);
        // A later version of the standard may add fields behind these.
        boolean isAll = header.length() == TRACEPARENT_LENGTH
                || (!version.equals(VERSION) && header.charAt(TRACEPARENT_LENGTH) == '-');
        String span = header.substring(SPAN_AT, SPAN_AT + SPAN_DIGITS);
        boolean isWellFormed = isAll
                && isHex(version)
                && !version.equals(NO_VERSION)
                && header.charAt(2) == '-'
                && header.charAt(SPAN_AT - 1) == '-'
                && isHex(span)
                && !isZero(span)
                && header.charAt(FLAGS_AT - 1) == '-'
                && isHex(header.substring(FLAGS_AT, TRACEPARENT_LENGTH));
        return isWellFormed ? of(header.substring(3, 3 + DIGITS)) : Optional.empty();
    }

    /**
     * Returns a {@code traceparent} for something that leaves the application.
     *
     * @param id identifies what is sent: the same thing, sent again, has the same {@code traceparent}
     */
    public String traceparent(String id) {
        long hash = HASH_BASE;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * HASH_PRIME;
        }
        return String.join("-", VERSION, text, HexFormat.of().toHexDigits(hash | 1), NOT_SAMPLED);
    }

    /** Returns the metadata for a message that does not follow from the message that is being handled. */
    public MetaData metaData() {
        return MetaData.with(KEY, text);
    }

    /** Makes this thread work for a request until the scope is closed. Without an id nothing changes. */
    public static TraceBinding open(@Nullable TraceId id) {
        @Nullable String before = MDC.get(KEY);
        if (id == null || id.text.equals(before)) {
            return () -> {};
        }
        MDC.put(KEY, id.text);
        return before == null ? () -> MDC.remove(KEY) : () -> MDC.put(KEY, before);
    }

    /** Returns work for another thread, which then works for the same request as this thread. */
    public static Runnable withCurrentTrace(Runnable work) {
        @Nullable TraceId id = current().orElse(null);
        return () -> {
            try (var _ = open(id)) {
                work.run();
            }
        };
    }

    private static boolean isHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '0') {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return text;
    }
}
