package lottery.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.regex.Pattern;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.OutageClassifier;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.RetryListener;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Configures the error handler of all consumers. An unreadable message becomes a dead letter at once. A message whose
 * handling fails is retried with growing pauses, because a dependency may be unavailable. After the last retry it
 * becomes a dead letter. Until then later messages of the partition wait, because they may concern the same user or
 * award.
 */
@Configuration(proxyBeanMethods = false)
class KafkaDeadLetterConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaDeadLetterConfiguration.class);

    static final String CAUSE = "lottery_cause";

    /** The header with the size in bytes of a message that was too large for the dead-letter topic. */
    static final String SIZE = "lottery_size";

    /** The longest text of a cause. Operators read it, and parts of it may come from outside. */
    private static final int CAUSE_LENGTH_MAX = 300;

    /** Control characters, above all line ends. Text from outside must not add lines to the log. */
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    /** The largest dead letter. A broker's default limit is 1 MiB for a message with all its parts. */
    private static final int MESSAGE_BYTES_MAX = 1_000_000;

    /** The overhead of a header besides its name and value. */
    private static final int HEADER_BYTES = 10;

    private static final int ANY_PARTITION = -1;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    private static final Duration PUT_ASIDE_MAX = Duration.ofSeconds(15);

    @Bean
    CommonErrorHandler retryThenPutAside(
            KafkaTemplate<String, byte[]> kafka, KafkaTopicSettings settings, FailureClassifier failureClassifier) {
        DeadLetterPublishingRecoverer aside = putAside(kafka);
        DefaultErrorHandler handler = new OrderedErrorHandler(
                (message, failure) -> aside.accept(fitting(message), failure), growingPauses(settings.retryMax()));
        handler.addNotRetryableExceptions(
                UnreadableMessageException.class, KeyedBatchProcessor.RecordUnusableException.class);
        // An outage creates no dead letters, however long it lasts, because the messages can be handled after it. All
        // outages for which event processors wait count here, too.
        handler.setBackOffFunction((message, failure) -> failureClassifier.isOutage(failure) ? growingPauses() : null);
        // The remaining messages stay in memory, because to fetch them again would take half a second.
        handler.setSeekAfterError(false);
        handler.setLogLevel(KafkaException.Level.DEBUG);
        handler.setRetryListeners(new FailedAttemptLog());
        return handler;
    }

    @Bean
    OutageClassifier brokerOutages() {
        return KafkaDeadLetterConfiguration::isOfTheBroker;
    }

    /**
     * Returns whether the broker is unavailable or refuses access, or whether the producer was closed under its sender.
     * A producer says the latter by an exception of no special class. In all these cases the message is not at fault.
     */
    private static boolean isOfTheBroker(Throwable failure) {
        return failure instanceof RetriableException
                || KafkaAccessHealthIndicator.isRefusal(failure)
                || failure.getClass().equals(org.apache.kafka.common.KafkaException.class);
    }

    /**
     * Copies the message to the dead-letter topic, under its own key, with the cause of the failure, its partition and
     * its offset.
     */
    private static DeadLetterPublishingRecoverer putAside(KafkaTemplate<String, byte[]> kafka) {
        DeadLetterPublishingRecoverer recoverer = new DeadLetterPublishingRecoverer(
                kafka,
                (message, failure) -> new TopicPartition(KafkaTopics.deadLettersOf(message.topic()), ANY_PARTITION));
        recoverer.setExceptionHeadersCreator((headers, failure, inKey, names) ->
                headers.add(CAUSE, causeOf(failure).getBytes(UTF_8)));
        recoverer.setWaitForSendResultTimeout(PUT_ASIDE_MAX);
        return recoverer;
    }

    /**
     * Returns the message, or a note instead if the message is too large. A topic may accept larger messages than its
     * dead-letter topic. Without the note, such a message could never become a dead letter, and all later messages
     * would wait for ever. The note has the cause, the size, the partition and the offset.
     */
    private static ConsumerRecord<?, ?> fitting(ConsumerRecord<?, ?> message) {
        long size = sizeOf(message);
        if (size <= MESSAGE_BYTES_MAX) {
            return message;
        }
        ConsumerRecord<?, ?> note =
                new ConsumerRecord<>(message.topic(), message.partition(), message.offset(), null, null);
        note.headers().add(SIZE, Long.toString(size).getBytes(UTF_8));
        return note;
    }

    static long sizeOf(ConsumerRecord<?, ?> message) {
        long size = Math.max(0, message.serializedKeySize()) + (long) Math.max(0, message.serializedValueSize());
        for (Header header : message.headers()) {
            byte @Nullable [] value = header.value();
            size += HEADER_BYTES + Utils.utf8Length(header.key()) + (value == null ? 0L : value.length);
        }
        return size;
    }

    private static ExponentialBackOff growingPauses(Duration retryMax) {
        ExponentialBackOff pauses = growingPauses();
        pauses.setMaxElapsedTime(retryMax.toMillis());
        return pauses;
    }

    private static ExponentialBackOff growingPauses() {
        ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE.toMillis(), 2);
        pauses.setMaxInterval(PAUSE_MAX.toMillis());
        return pauses;
    }

    static String causeOf(@Nullable Throwable failure) {
        @Nullable Throwable cause = unwrapped(failure);
        @Nullable String message = cause == null ? null : cause.getMessage();
        String text = cause instanceof UnreadableMessageException && message != null ? message : String.valueOf(cause);
        String line = CONTROL.matcher(text).replaceAll(" ");
        return line.length() <= CAUSE_LENGTH_MAX ? line : line.substring(0, CAUSE_LENGTH_MAX);
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        @Nullable Throwable inner = failure;
        while ((inner instanceof ListenerExecutionFailedException || inner instanceof BatchListenerFailedException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** Logs one line per attempt. The line has a stack trace only if the program may be at fault. */
    private static final class FailedAttemptLog implements RetryListener {

        @Override
        public void failedDelivery(ConsumerRecord<?, ?> message, @Nullable Exception failure, int attempt) {
            try (var _ = TraceId.open(CloudEventCodec.trace(message).orElse(null))) {
                LOG.warn("The message {} failed, attempt {}: {}", placeOf(message), attempt, causeOf(failure));
            }
        }

        @Override
        public void recovered(ConsumerRecord<?, ?> message, @Nullable Exception failure) {
            try (var _ = TraceId.open(CloudEventCodec.trace(message).orElse(null))) {
                if (unwrapped(failure) instanceof UnreadableMessageException) {
                    LOG.warn(
                            "The message {} cannot be read, and is a dead letter now. Retry or drop it at the desk.",
                            placeOf(message));
                } else {
                    LOG.error(
                            "The message {} failed too often, and is a dead letter now. Repair the cause, then retry it at"
                                    + " the desk.",
                            placeOf(message),
                            failure);
                }
            }
        }

        @Override
        public void recoveryFailed(ConsumerRecord<?, ?> message, @Nullable Exception original, Exception failure) {
            LOG.error(
                    "The message {} could not be written to its dead-letter topic. It is tried again.",
                    placeOf(message),
                    failure);
        }

        private static String placeOf(ConsumerRecord<?, ?> message) {
            return message.topic() + "-" + message.partition() + "@" + message.offset();
        }
    }
}
