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

    /** Invoices from the grant saga to fulfilment. Each asks fulfilment to hand one award over. The key is the user. */
    public static final String INVOICE = "lottery_invoice";

    /** Answers of fulfilment, which say that the award was handed over or will not be. The key is the award record. */
    public static final String FULFILMENT = "lottery_fulfilment";

    /** Behaviours of users that other systems report. The key is the user. */
    public static final String BEHAVIOURS = "lottery_behaviours";

    /**
     * Requests for draws that wait for their turn. The key is the activity, so that requests of one activity are drawn
     * in order.
     */
    public static final String DRAW_REQUESTS = "lottery_draw_requests";

    /**
     * The group of the consumers that draw waiting requests. The committed offsets of the group show how far these
     * consumers have come.
     */
    public static final String DRAW_REQUESTS_GROUP = "lottery-draws";

    /** The public feed of events. The key is the user, or the activity. */
    public static final String EVENTS = "lottery_events";

    /**
     * How long the feed is kept for readers that are away. The value is used only when the topic is created. An
     * existing topic is never changed, so the broker's operator can set another value.
     */
    private static final Duration EVENTS_KEPT = Duration.ofDays(30);

    /**
     * How long a request for a draw is kept. It has to be longer than any outage, because a queue that stops for longer
     * than this loses requests.
     */
    private static final Duration DRAW_REQUESTS_KEPT = Duration.ofDays(30);

    /**
     * How long an invoice is kept. The time is short, because an invoice may contain a winner's address. If fulfilment
     * is away for longer, the saga sends another invoice.
     */
    private static final Duration ADDRESSES_KEPT = Duration.ofDays(7);

    /**
     * How long a segment file of a topic with addresses grows. The broker deletes whole segments when their newest
     * message is old enough.
     */
    private static final Duration ADDRESSES_SEGMENT = Duration.ofDays(1);

    /**
     * How many replicas have to have a message before the broker confirms it, if there are so many. So one disk may be
     * lost, and no accepted message is.
     */
    private static final int IN_SYNC_MIN = 2;

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
                        // These settings override the broker's defaults, because the broker must never drop a waiting
                        // request.
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
        return TopicBuilder.name(name)
                .partitions(settings.partitions())
                .replicas(settings.replication())
                .config(
                        TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                        Integer.toString(Math.min(settings.replication(), IN_SYNC_MIN)));
    }
}
