package lottery.saga.desk;

import java.time.Duration;
import lottery.messaging.DeadLetter;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.stereotype.Component;
import org.springframework.util.backoff.ExponentialBackOff;

/** Stores the messages of the dead-letter topics, so that operators see them. */
@Component
final class DeadLetterConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterConsumer.class);

    private static final String GROUP = "lottery-desk";
    private static final String PATIENT = "lottery.saga.desk.patience";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    private final DeadLetterTable messages;

    DeadLetterConsumer(DeadLetterTable messages) {
        this.messages = messages;
    }

    @KafkaListener(
            topics = {
                KafkaTopics.INVOICE + KafkaTopics.DEAD_LETTER_SUFFIX,
                KafkaTopics.FULFILMENT + KafkaTopics.DEAD_LETTER_SUFFIX,
                KafkaTopics.BEHAVIOURS + KafkaTopics.DEAD_LETTER_SUFFIX,
                KafkaTopics.DRAW_REQUESTS + KafkaTopics.DEAD_LETTER_SUFFIX
            },
            groupId = GROUP,
            containerPostProcessor = PATIENT)
    void on(ConsumerRecord<String, byte[]> found) {
        messages.keep(new DeadLetter(found));
    }

    @Configuration(proxyBeanMethods = false)
    static class RetryForeverConfiguration {

        /**
         * Returns a setting that makes the consumer retry a message for ever. A dead letter cannot go anywhere else, so
         * it waits as long as the database is away.
         */
        @Bean(PATIENT)
        ContainerPostProcessor<String, byte[], ConcurrentMessageListenerContainer<String, byte[]>> patience() {
            return container -> {
                container.setConcurrency(1);
                container.setCommonErrorHandler(untilItSucceeds());
            };
        }

        private static DefaultErrorHandler untilItSucceeds() {
            ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE.toMillis(), 2);
            pauses.setMaxInterval(PAUSE_MAX.toMillis());
            DefaultErrorHandler handler = new DefaultErrorHandler(pauses);
            handler.setSeekAfterError(false);
            handler.setLogLevel(KafkaException.Level.DEBUG);
            handler.setRetryListeners((message, failure, attempt) -> LOG.warn(
                    "The dead letter {}-{}@{} could not be copied to the desk, attempt {}: {}. It is tried again.",
                    message.topic(),
                    message.partition(),
                    message.offset(),
                    attempt,
                    String.valueOf(failure)));
            return handler;
        }
    }
}
