package lottery.messaging;

import java.time.Duration;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin.NewTopics;

/** Names the topics, and creates those that do not exist. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaTopicSettings.class)
public class KafkaTopics {

    /** Invoices from the grant saga to fulfilment: hand this award over. The key is the user. */
    public static final String INVOICE = "lottery_invoice";

    /** Answers of fulfilment: the award was handed over, or will not be. The key is the award record. */
    public static final String FULFILMENT = "lottery_fulfilment";

    /** Behaviours of users that other systems report. The key is the user. */
    public static final String BEHAVIOURS = "lottery_behaviours";

    /** Requests for draws that wait for their turn. The key is the activity, so that they are drawn in their order. */
    public static final String DRAW_REQUESTS = "lottery_draw_requests";

    /** The group of the consumers that draw what waits. Its offsets say how far they are. */
    public static final String DRAW_REQUESTS_GROUP = "lottery-draws";

    /** The public feed of events. The key is the user, or the activity. */
    public static final String EVENTS = "lottery_events";

    /**
     * How long the feed is kept for a reader that is away, unless the broker's operator decides otherwise: a topic that
     * exists is never changed.
     */
    private static final Duration EVENTS_KEPT = Duration.ofDays(30);

    /**
     * How long a request for a draw is kept. A queue that stands still for longer loses requests, so that it has to be
     * longer than any outage.
     */
    private static final Duration DRAW_REQUESTS_KEPT = Duration.ofDays(30);

    /**
     * How long an invoice is kept, because it may have the address of a winner. The saga sends another one if
     * fulfilment is away for longer.
     */
    private static final Duration ADDRESSES_KEPT = Duration.ofDays(7);

    /** How long a segment of such a topic grows. The broker deletes whole segments, by their youngest message. */
    private static final Duration ADDRESSES_SEGMENT = Duration.ofDays(1);

    /** The suffix of the topic for dead letters of another topic. */
    public static final String DEAD_LETTER_SUFFIX = "_dlt";

    static String deadLettersOf(String topic) {
        return topic + DEAD_LETTER_SUFFIX;
    }

    @Bean
    NewTopics messageTopics(KafkaTopicSettings settings) {
        return new NewTopics(Stream.of(FULFILMENT, BEHAVIOURS)
                .flatMap(topic -> Stream.of(topic, deadLettersOf(topic)))
                .map(topic -> topic(topic, settings).build())
                .toArray(NewTopic[]::new));
    }

    @Bean
    NewTopics invoiceTopics(KafkaTopicSettings settings) {
        return new NewTopics(Stream.of(INVOICE, deadLettersOf(INVOICE))
                .map(topic -> topic(topic, settings)
                        .config(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE)
                        .config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(ADDRESSES_KEPT.toMillis()))
                        .config(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(ADDRESSES_SEGMENT.toMillis()))
                        .build())
                .toArray(NewTopic[]::new));
    }

    @Bean
    NewTopics drawRequestTopics(KafkaTopicSettings settings) {
        return new NewTopics(
                topic(DRAW_REQUESTS, settings)
                        // The broker may drop no request that waits, however it treats other topics.
                        .config(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE)
                        .config(TopicConfig.RETENTION_BYTES_CONFIG, "-1")
                        .config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(DRAW_REQUESTS_KEPT.toMillis()))
                        .build(),
                topic(deadLettersOf(DRAW_REQUESTS), settings).build());
    }

    /** The feed has no dead-letter topic, because nothing here reads it. */
    @Bean
    NewTopic eventsTopic(KafkaTopicSettings settings) {
        return topic(EVENTS, settings)
                .config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(EVENTS_KEPT.toMillis()))
                .build();
    }

    private static TopicBuilder topic(String name, KafkaTopicSettings settings) {
        return TopicBuilder.name(name).partitions(settings.partitions()).replicas(settings.replication());
    }
}
