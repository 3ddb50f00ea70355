package lottery.view.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.core.HyperLogLogOperations;
import org.springframework.data.redis.core.StringRedisTemplate;

@DisplayName("The counter of visitors")
class VisitorCounterTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final String KEY = "lottery:visitors:100";

    private final StringRedisTemplate redis = mock(StringRedisTemplate.class);

    @SuppressWarnings("unchecked") // A mock has no type arguments.
    private final HyperLogLogOperations<String, String> counts = mock(HyperLogLogOperations.class);

    private final VisitorCounter visitors = new VisitorCounter(redis);

    @BeforeEach
    void connect() {
        when(redis.opsForHyperLogLog()).thenReturn(counts);
    }

    private void look(int users) {
        IntStream.range(0, users).forEach(user -> visitors.note(new AccountId(ACTIVITY, new UserId("user-" + user))));
    }

    @Test
    @DisplayName("Many users are written in several short commands, and each only once.")
    void inParts() {
        look(2_500);
        look(2_500);
        visitors.write();
        verify(counts, times(3)).add(anyString(), any(String[].class));
        visitors.write();
        verifyNoMoreInteractions(counts);
    }

    @Test
    @DisplayName("While Redis is away, nothing fails, and the looks are counted later.")
    void away() {
        doThrow(new RedisConnectionFailureException("away"))
                .doReturn(1L)
                .when(counts)
                .add(anyString(), any(String[].class));
        doThrow(new RedisConnectionFailureException("away")).when(counts).size(KEY);
        look(1);
        assertThatThrownBy(visitors::write).isInstanceOf(RedisConnectionFailureException.class);
        assertThat(visitors.count(ACTIVITY)).isEmpty();
        visitors.write();
        visitors.write();
        verify(counts, times(2)).add(KEY, "user-0");
    }

    @Test
    @DisplayName("Not more than a hundred thousand looks wait in memory.")
    void bounded() {
        look(100_001);
        visitors.write();
        verify(counts, times(100)).add(anyString(), any(String[].class));
    }
}
