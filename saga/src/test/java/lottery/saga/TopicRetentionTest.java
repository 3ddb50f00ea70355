package lottery.saga;

import static lottery.saga.FeedFixture.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The topics keep their messages for as long as documented.")
class TopicRetentionTest {

    @AutoClose
    private final FeedFixture feed;

    TopicRetentionTest(FeedFixture feed) {
        this.feed = feed;
    }

    @Test
    @DisplayName("The topic keeps messages for a month, and the operator can change that.")
    void retention() throws Exception {
        assertThat(settingOf("retention.ms"))
                .isEqualTo(Long.toString(Duration.ofDays(30).toMillis()));
        assertThat(settingOf("cleanup.policy")).isEqualTo("delete");
    }

    @Test
    @DisplayName("The topics that may have addresses keep messages for a week, in segments of a day.")
    void retentionOfAddresses() throws Exception {
        for (String topic : List.of(KafkaTopics.INVOICE, KafkaTopics.INVOICE + KafkaTopics.DEAD_LETTER_SUFFIX)) {
            assertThat(settingOf("retention.ms", topic))
                    .isEqualTo(Long.toString(Duration.ofDays(7).toMillis()));
            assertThat(settingOf("segment.ms", topic))
                    .isEqualTo(Long.toString(Duration.ofDays(1).toMillis()));
        }
    }

    private String settingOf(String name) throws Exception {
        return settingOf(name, KafkaTopics.EVENTS);
    }

    private String settingOf(String name, String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = feed.admin()) {
            return admin.describeConfigs(List.of(resource))
                    .all()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .getOrDefault(resource, new Config(List.of()))
                    .get(name)
                    .value();
        }
    }
}
