package lottery.journey.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The feed")
class FeedTest {

    @Test
    @DisplayName("says where in the log an event stands, as text whose order is that of the events")
    void sequence() {
        assertThat(Feed.sequence(9)).isEqualTo("0000000000000000009").isLessThan(Feed.sequence(10));
        assertThat(Feed.sequence(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    }
}
