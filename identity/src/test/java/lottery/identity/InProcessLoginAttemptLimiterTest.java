package lottery.identity;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import lottery.api.RefusedException;
import lottery.security.RateLimitAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The limit of attempts to log in")
class InProcessLoginAttemptLimiterTest {

    private static final int PER_MINUTE = 10;

    private final InProcessLoginAttemptLimiter limiter = new InProcessLoginAttemptLimiter(PER_MINUTE);

    private void tryFrom(String address, int times) {
        for (int i = 0; i < times; i++) {
            limiter.begin(RateLimitAddress.of(address));
        }
    }

    @Test
    @DisplayName("counts the failed attempts of one address.")
    void oneAddress() {
        tryFrom("203.0.113.7", PER_MINUTE);
        assertThatThrownBy(() -> tryFrom("203.0.113.7", 1)).isInstanceOf(RefusedException.class);
        limiter.succeed("203.0.113.7");
        assertThatCode(() -> tryFrom("203.0.113.7", 1)).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("counts those of all addresses of a network together, and leaves other networks alone.")
    void networks() {
        assertThatThrownBy(() -> {
                    for (int net = 0; net < 256; net++) {
                        tryFrom("2001:db8:1:%x00::1".formatted(net), 1);
                    }
                })
                .isInstanceOf(RefusedException.class);
        assertThatCode(() -> tryFrom("2001:db8:2::1", 1)).doesNotThrowAnyException();
        assertThatThrownBy(() -> {
                    for (int host = 0; host < 256; host++) {
                        tryFrom("203.0.113." + host, 1);
                    }
                })
                .isInstanceOf(RefusedException.class);
        assertThatCode(() -> tryFrom("203.0.114.1", 1)).doesNotThrowAnyException();
    }
}
