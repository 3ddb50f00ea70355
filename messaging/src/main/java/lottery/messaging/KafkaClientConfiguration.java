package lottery.messaging;

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
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/**
 * Configures the clients of Kafka. Bytes go in and come out, so that no message can break a client before it is seen.
 */
@Configuration(proxyBeanMethods = false)
class KafkaClientConfiguration {

    /** Less than what a processor's claim on its token lasts: who waits for a message still owns the token then. */
    private static final int DELIVERY_MAX_MS = 8_000;

    private static final int REQUEST_MAX_MS = 3_000;
    private static final int BROKER_LOOKUP_MAX_MS = 5_000;

    /**
     * They share commits: the longer these take, the more messages there are, so that journeys follow draws. So few
     * that those that go one by one after all have their time ({@link KeyedBatchProcessor#BATCH_MAX}), unless nearly
     * nothing goes.
     */
    private static final int RECORDS_PER_POLL_MAX = 100;

    /** For so long the messages of a reader that was killed wait for another one; Kafka's own idea is 45 seconds. */
    private static final int SILENCE_MAX_MS = 10_000;

    private static final int HEARTBEAT_MS = 3_000;

    private static final int BYTES_PER_PARTITION_MAX = 1 << 20;
    private static final int BYTES_PER_FETCH_MAX = 8 << 20;

    /** Messages wait for commands or for the broker; other partitions need not wait with them. */
    private static final int READERS_PER_GROUP = 3;

    /**
     * What a message waits for company before it leaves. Who knows that none will come says so
     * ({@link MessagePublisher#depart}).
     */
    private static final int COMPANY_MS = 10;

    /**
     * What a message may wait to be read with others, since each look for messages costs the same for one and for many.
     */
    private static final int GATHERING_MS = 20;

    /**
     * How often it is noted what was read: to note each batch costs as much as to read it. What was handled since then,
     * the batch that is under way included, is read again after a crash.
     */
    private static final long OFFSETS_AGE_MAX_MS = 500;

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
                // A topic made by a reader would have the broker's number of partitions instead of ours.
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
            // Offsets follow what was handled: a reader that dies reads some messages again, and loses none.
            container.getContainerProperties().setAckMode(AckMode.TIME);
            container.getContainerProperties().setAckTime(OFFSETS_AGE_MAX_MS);
            container.getContainerProperties().setPollTimeout(OFFSETS_AGE_MAX_MS);
            container.getContainerProperties().setStopImmediate(true);
        };
    }

    /** A reader never ends and waits all the time: a thread of the system takes the fewest detours for that. */
    private static SimpleAsyncTaskExecutor threads() {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("kafka-");
        threads.setDaemon(true);
        return threads;
    }
}
