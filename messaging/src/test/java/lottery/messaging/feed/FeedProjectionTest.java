package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The sequence of the feed")
class FeedProjectionTest {

    @Test
    @DisplayName("The sequence is the log position as text whose alphabetical order is that of the events.")
    void sequence() {
        assertThat(FeedProjection.sequence(9)).isEqualTo("0000000000000000009").isLessThan(FeedProjection.sequence(10));
        assertThat(FeedProjection.sequence(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    }
}
