package lottery.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.RedisConnectionFailureException;

@DisplayName("The log about a Redis that cannot be used")
class RedisFailureLogTest {

    private final List<String> lines = new ArrayList<>();
    private final RedisFailureLog failures = new RedisFailureLog("rate limits", lines::add);

    private static RuntimeException failure(String cause) {
        return new RedisConnectionFailureException("Unable to connect to Redis", new IllegalStateException(cause));
    }

    @Test
    @DisplayName("Each cause is logged once, until Redis has answered.")
    void once() {
        failures.failed(failure("WRONGPASS"));
        failures.failed(failure("not connected"));
        failures.failed(failure("WRONGPASS"));
        failures.answered();
        failures.failed(failure("WRONGPASS"));
        assertThat(lines)
                .containsExactly(
                        "Redis cannot be used for rate limits: IllegalStateException: WRONGPASS",
                        "Redis cannot be used for rate limits: IllegalStateException: not connected",
                        "Redis cannot be used for rate limits: IllegalStateException: WRONGPASS");
    }

    @Test
    @DisplayName("No line has a password or is longer than a line, and an outage has few lines.")
    void bounded() {
        failures.failed(failure("cannot reach rediss://user:p@ss@redis:6379/0\nnow"));
        assertThat(lines)
                .containsExactly(
                        "Redis cannot be used for rate limits: IllegalStateException: cannot reach rediss://***@redis:6379/0 now");
        for (int i = 0; i < 100; i++) {
            failures.failed(failure(i + "x".repeat(1_000)));
        }
        assertThat(lines).hasSize(10).allMatch(line -> line.length() < 350);
    }
}
