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
@EnableConfigurationProperties(KafkaSettings.class)
public class KafkaTopics {

    /** From the journey to fulfilment: hand this award over. Its key is the user. */
    public static final String INVOICE = "lottery_invoice";

    /** From fulfilment: this award was handed over, or will not be. Its key is the award record. */
    public static final String FULFILMENT = "lottery_fulfilment";

    /** To everybody: what has happened. Its key is the user, or the activity. */
    public static final String EVENTS = "lottery_events";

    /**
     * For so long whoever reads the feed may be away, unless the broker's operator decides otherwise: a topic that
     * exists is never changed.
     */
    private static final Duration EVENTS_KEPT = Duration.ofDays(30);

    /** What it adds to a topic's name to hold what could not be read from there. */
    public static final String DEAD_LETTER_SUFFIX = "_dlt";

    static String deadLettersOf(String topic) {
        return topic + DEAD_LETTER_SUFFIX;
    }

    @Bean
    NewTopics messageTopics(KafkaSettings settings) {
        return new NewTopics(Stream.of(INVOICE, FULFILMENT)
                .flatMap(topic -> Stream.of(topic, deadLettersOf(topic)))
                .map(topic -> topic(topic, settings).build())
                .toArray(NewTopic[]::new));
    }

    /** Nobody here reads it, so that it has no dead letters of ours. */
    @Bean
    NewTopic eventsTopic(KafkaSettings settings) {
        return topic(EVENTS, settings)
                .config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(EVENTS_KEPT.toMillis()))
                .build();
    }

    private static TopicBuilder topic(String name, KafkaSettings settings) {
        return TopicBuilder.name(name).partitions(settings.partitions()).replicas(settings.replication());
    }
}
