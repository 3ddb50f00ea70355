package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The sequence of the feed")
class EventFeedPublisherTest {

    @Test
    @DisplayName("The sequence is the log position as text whose alphabetical order is that of the events.")
    void sequence() {
        assertThat(EventFeedPublisher.sequence(9))
                .isEqualTo("0000000000000000009")
                .isLessThan(EventFeedPublisher.sequence(10));
        assertThat(EventFeedPublisher.sequence(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    }
}
