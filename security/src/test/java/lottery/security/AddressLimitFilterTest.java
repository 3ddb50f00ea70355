package lottery.security;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.FilterChain;
import java.util.List;
import java.util.stream.IntStream;
import lottery.limit.CallerRateLimiter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

@ExtendWith(OutputCaptureExtension.class)
@DisplayName("The limit of an address")
class AddressLimitFilterTest {

    private static final int PER_SECOND = 2;
    private static final String WHEEL = "/api/v1/activities/100/awards";
    private static final String STREAM = "/api/v1/activities/100/winners/stream";
    private static final FilterChain DONE = (_, response) -> ((MockHttpServletResponse) response).setStatus(200);

    private final CallerRateLimiter requests = new CallerRateLimiter(PER_SECOND);
    private final AddressLimitFilter filter = new AddressLimitFilter(requests, 2);

    @AfterEach
    void forgetCaller() {
        SecurityContextHolder.clearContext();
    }

    private static void loggedInAs(String... roles) {
        SecurityContextHolder.getContext()
                .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                        "ann", null, Caller.authorities(List.of(roles))));
    }

    private MockHttpServletResponse ask(String address, String path, FilterChain chain) {
        return ask(address, path, null, chain);
    }

    private MockHttpServletResponse ask(String address, String path, @Nullable String forwarded, FilterChain chain) {
        return ask(filter, address, path, forwarded, chain);
    }

    private static MockHttpServletResponse ask(
            AddressLimitFilter filter, String address, String path, @Nullable String forwarded, FilterChain chain) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
        request.setServletPath(path);
        request.setRemoteAddr(address);
        if (forwarded != null) {
            request.addHeader("X-Forwarded-For", forwarded);
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        try {
            filter.doFilter(request, response, chain);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return response;
    }

    private long answered(String address, int asked) {
        return IntStream.range(0, asked)
                .filter(_ -> ask(address, WHEEL, DONE).getStatus() == 200)
                .count();
    }

    @Test
    @DisplayName("refuses strangers and players beyond it, each address for itself.")
    void strangersAndPlayers() {
        assertThat(answered("10.0.0.1", 20)).isEqualTo(2 * PER_SECOND);
        assertThat(answered("10.0.0.2", 20)).isEqualTo(2 * PER_SECOND);
        loggedInAs("player");
        assertThat(answered("10.0.0.3", 20)).isEqualTo(2 * PER_SECOND);
        MockHttpServletResponse refused = ask("10.0.0.3", WHEEL, DONE);
        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.getHeader("Retry-After")).isEqualTo("1");
    }

    @Test
    @DisplayName("is one for all chains of filters.")
    void allChains() {
        AddressLimitFilter ofLogins = new AddressLimitFilter(requests, 2);
        assertThat(answered("10.0.0.1", 20)).isEqualTo(2 * PER_SECOND);
        assertThat(ask(ofLogins, "10.0.0.1", "/oauth2/token", null, DONE).getStatus())
                .isEqualTo(429);
    }

    @Test
    @DisplayName("does not hold for systems and operators.")
    void systems() {
        loggedInAs("front");
        assertThat(answered("10.0.0.1", 20)).isEqualTo(20);
        loggedInAs("player", "operator");
        assertThat(answered("10.0.0.1", 20)).isEqualTo(20);
    }

    @Test
    @DisplayName("holds for callers without a known role, and not for the probes of load balancers.")
    void withoutRole() {
        loggedInAs("king");
        assertThat(answered("10.0.0.1", 20)).isEqualTo(2 * PER_SECOND);
        assertThat(ask("10.0.0.1", "/readyz", DONE).getStatus()).isEqualTo(200);
    }

    @Test
    @DisplayName("counts streams while they are open.")
    void streams() {
        int[] inside = new int[1];
        FilterChain third = (_, _) -> inside[0] = ask("10.0.0.1", STREAM, DONE).getStatus();
        FilterChain second = (_, _) -> ask("10.0.0.1", STREAM, third);
        ask("10.0.0.1", STREAM, second);
        assertThat(inside[0]).as("the third at once").isEqualTo(429);
        assertThat(ask("10.0.0.1", STREAM, DONE).getStatus()).isEqualTo(200);
    }

    @Test
    @DisplayName("tells the operator once that a proxy seems to hide the callers.")
    void proxy(CapturedOutput output) {
        for (int i = 0; i < 20; i++) {
            ask("10.0.0.9", WHEEL, "203.0.113.7", DONE);
        }
        assertThat(output).containsOnlyOnce("LOTTERY_FORWARDED");
    }
}
