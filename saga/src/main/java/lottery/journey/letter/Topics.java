package lottery.journey.letter;

import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin.NewTopics;

/** The topics and who reads them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaSettings.class)
public class Topics {

    /** From the journey to fulfilment: hand this award over. Its key is the user. */
    public static final String INVOICE = "lottery_invoice";

    /** From fulfilment: this award was handed over, or will not be. Its key is the award record. */
    public static final String FULFILMENT = "lottery_fulfilment";

    private static final String DEAD_LETTER_SUFFIX = "_dlt";

    static String deadLettersOf(String topic) {
        return topic + DEAD_LETTER_SUFFIX;
    }

    @Bean
    NewTopics letterTopics(KafkaSettings settings) {
        return new NewTopics(Stream.of(INVOICE, FULFILMENT)
                .flatMap(topic -> Stream.of(topic, deadLettersOf(topic)))
                .map(topic -> TopicBuilder.name(topic)
                        .partitions(settings.partitions())
                        .replicas(settings.replication())
                        .build())
                .toArray(NewTopic[]::new));
    }
}
