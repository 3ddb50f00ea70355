package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import lottery.messaging.BatchPublisher;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The switch of the feed")
class FeedSwitchTest {

    private final ApplicationContextRunner process = new ApplicationContextRunner()
            .withBean(
                    BatchPublisher.class,
                    () -> new BatchPublisher(message -> CompletableFuture.completedFuture(message)))
            .withUserConfiguration(EventFeedPublisher.class);

    @Test
    @DisplayName("The feed is on by default.")
    void on() {
        process.run(started -> assertThat(started).hasSingleBean(EventFeedPublisher.class));
    }

    @Test
    @DisplayName("The feed can be turned off.")
    void off() {
        process.withPropertyValues("lottery.feed.enabled=false")
                .run(started -> assertThat(started).doesNotHaveBean(EventFeedPublisher.class));
    }
}
