package lottery.messaging;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings for Kafka, which operators set.
 *
 * @param partitions the partitions of each topic that is created
 * @param replication the replicas of each topic that is created
 * @param retryMax how long a failing message is retried before it becomes a dead letter; later messages of its
 *     partition wait that long
 */
@ConfigurationProperties("lottery.kafka")
record KafkaTopicSettings(
        @DefaultValue("6") int partitions,
        @DefaultValue("1") int replication,
        @DefaultValue("5m") Duration retryMax) {

    KafkaTopicSettings {
        if (partitions < 1 || replication < 1 || retryMax.isNegative()) {
            throw new IllegalArgumentException(
                    "lottery.kafka needs at least one partition, one replica and no negative retry-max");
        }
    }
}
