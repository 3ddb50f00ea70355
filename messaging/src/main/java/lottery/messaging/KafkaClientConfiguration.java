package lottery.messaging;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaConsumerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.support.ProducerListener;

/** Configures the Kafka clients. They send and receive bytes, so no message can fail in a client's deserializer. */
@Configuration(proxyBeanMethods = false)
public class KafkaClientConfiguration {

    /**
     * The time limit for the delivery of a message. It is shorter than the claim on a token, so a processor that waits
     * for a message keeps its token.
     */
    private static final int DELIVERY_MAX_MS = 8_000;

    private static final int REQUEST_MAX_MS = 3_000;
    private static final int BROKER_LOOKUP_MAX_MS = 5_000;

    /**
     * The most records of a poll. The records of a poll share commits, so consumers keep up with draws only if a poll
     * has many records. The records are few enough to be handled one by one within
     * {@link KeyedBatchProcessor#BATCH_MAX}, unless the handling of almost every record hangs.
     */
    private static final int RECORDS_PER_POLL_MAX = 100;

    /**
     * After this time without a sign of life, Kafka gives a consumer's partitions to another consumer; Kafka's default
     * is 45 seconds.
     */
    private static final int SILENCE_MAX_MS = 10_000;

    private static final int HEARTBEAT_MS = 3_000;

    private static final int BYTES_PER_PARTITION_MAX = 1 << 20;
    private static final int BYTES_PER_FETCH_MAX = 8 << 20;

    /**
     * The number of consumers in each group. While one consumer waits for commands or the broker, the other consumers
     * continue with their partitions.
     */
    private static final int READERS_PER_GROUP = 3;

    /**
     * How long a message waits for other messages that are sent with it. A sender that expects no other messages calls
     * {@link AsyncMessagePublisher#flush}.
     */
    private static final int COMPANY_MS = 10;

    /**
     * The pause between polls, so that each poll reads several messages. A poll costs the same for one message and for
     * many.
     */
    private static final int GATHERING_MS = 20;

    /**
     * The interval between commits of offsets. A commit after each batch would cost as much as reading the batch. After
     * a crash, all messages since the last commit are read again.
     */
    private static final long OFFSETS_AGE_MAX_MS = 500;

    /**
     * The pause of a consumer that Kafka refuses. It is short compared with the time that an operator needs to correct
     * a password.
     */
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(5);

    @Bean
    KafkaAccessHealthIndicator kafkaHealthIndicator() {
        return new KafkaAccessHealthIndicator();
    }

    @Bean
    DefaultKafkaProducerFactoryCustomizer producersThatAreLetIn(KafkaAccessHealthIndicator access) {
        return factory -> requireLogin(factory, access);
    }

    private static <K, V> void requireLogin(
            DefaultKafkaProducerFactory<K, V> factory, KafkaAccessHealthIndicator access) {
        factory.addPostProcessor(new ProducerLogin<>(KafkaTopics.EVENTS, 1, access));
    }

    /**
     * Reports messages that Kafka refuses. Other failures are for the sender, which gets them as well and sends the
     * message again; Spring would log each of them with a stack trace.
     */
    @Bean
    ProducerListener<Object, Object> refusedMessages(KafkaAccessHealthIndicator access) {
        return access.listener();
    }

    @Bean
    DefaultKafkaProducerFactoryCustomizer nothingLostOrDoubled() {
        return factory -> factory.updateConfigs(Map.of(
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                COMPANY_MS,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                REQUEST_MAX_MS,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                DELIVERY_MAX_MS,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                BROKER_LOOKUP_MAX_MS));
    }

    @Bean
    DefaultKafkaConsumerFactoryCustomizer nothingSkipped() {
        return factory -> factory.updateConfigs(Map.of(
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                // If a consumer created a topic, it would have the broker's number of partitions instead of the
                // configured one.
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                SILENCE_MAX_MS,
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                HEARTBEAT_MS,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                RECORDS_PER_POLL_MAX,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                BYTES_PER_PARTITION_MAX,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                BYTES_PER_FETCH_MAX));
    }

    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> readers() {
        return container -> {
            container.setConcurrency(READERS_PER_GROUP);
            container.getContainerProperties().setListenerTaskExecutor(threads());
            container.getContainerProperties().setIdleBetweenPolls(GATHERING_MS);
            // Offsets are committed after the messages are handled. If a consumer dies, some messages are read again,
            // and none is lost.
            container.getContainerProperties().setAckMode(AckMode.TIME);
            container.getContainerProperties().setAckTime(OFFSETS_AGE_MAX_MS);
            container.getContainerProperties().setPollTimeout(OFFSETS_AGE_MAX_MS);
            container.getContainerProperties().setStopImmediate(true);
            // Without this interval, a consumer that is refused once would end for good.
            container.getContainerProperties().setAuthExceptionRetryInterval(REFUSED_PAUSE);
        };
    }

    /**
     * Returns an executor that gives each consumer a platform thread. A consumer never ends and waits most of the time,
     * and a platform thread waits at the lowest cost.
     */
    private static SimpleAsyncTaskExecutor threads() {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("kafka-");
        threads.setDaemon(true);
        return threads;
    }
}
