package lottery.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The address of a caller")
class RateLimitAddressTest {

    @ParameterizedTest(name = "is {1} for {0}")
    @CsvSource({
        "203.0.113.7, 203.0.113.7",
        "::ffff:203.0.113.7, 203.0.113.7",
        "2001:db8:1:2:3:4:5:6, 20010db800010002",
        "fe80::1%eth0, fe80000000000000",
        "203.0.113.7:5678, 203.0.113.7:5678",
        "[2001:db8::1]:4711, [2001:db8::1]:4711",
        "a:b, a:b",
        "unknown, unknown",
    })
    void whatProxiesName(String text, String expected) {
        assertThat(RateLimitAddress.of(text)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} is in {1}")
    @CsvSource({
        "203.0.113.7, 203.0.113/24",
        "2001:db8:1:2:3:4:5:6, 20010db8000100/56 20010db80001/48",
        "203.0.113.7:5678, ''",
        "unknown, ''",
    })
    void networks(String text, String expected) {
        assertThat(String.join(" ", RateLimitAddress.networksOf(RateLimitAddress.of(text))))
                .isEqualTo(expected);
    }
}
