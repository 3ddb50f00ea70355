package lottery.messaging.draw;

import lottery.messaging.KafkaClientConfiguration;
import lottery.messaging.KafkaTopics;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Configures the queue of draws, for a process that accepts requests. It needs no sagas and no consumers. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DrawQueueSettings.class)
@Import({KafkaTopics.class, KafkaClientConfiguration.class, KafkaDrawQueue.class})
public class DrawQueueIntakeConfiguration {}
