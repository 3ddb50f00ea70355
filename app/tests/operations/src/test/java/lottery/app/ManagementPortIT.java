package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import lottery.app.RawConnection.RawAnswer;
import lottery.embedded.ReservedPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A lottery with a management port of its own")
class ManagementPortIT {

    private static ReservedPort port;
    private static LotteryProcess lottery;

    @BeforeAll
    static void open() throws Exception {
        port = ReservedPort.any();
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_MANAGEMENT_PORT", Integer.toString(port.number()));
        lottery = LotteryProcess.open(environment);
    }

    @AfterAll
    static void close() {
        lottery.close();
        port.close();
    }

    private static RawAnswer ask(URI address, String path) throws IOException {
        return RawConnection.ask(
                address, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path));
    }

    private static RawAnswer askAsPlayer(String path) throws IOException {
        return ask(lottery.address(), path);
    }

    private static RawAnswer askAsOperator(String path) throws IOException {
        return ask(URI.create("http://127.0.0.1:" + port.number()), path);
    }

    @ParameterizedTest(name = "serves operators {0} there")
    @ValueSource(
            strings = {
                "/actuator/health",
                "/actuator/prometheus",
                "/api/v1/ops/decisions",
                "/api/v1/ops/projections",
                "/v3/api-docs",
                "/console"
            })
    void operators(String path) throws Exception {
        assertThat(askAsOperator(path).status()).isEqualTo(200);
        RawAnswer refused = askAsPlayer(path);
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.json().path("code").asString()).isEqualTo("NOT_FOUND");
        assertThat(refused.json().path("traceId").asString()).isNotEmpty();
    }

    @ParameterizedTest(name = "shows players nothing behind {0}")
    @ValueSource(
            strings = {
                "/actuator",
                "/actuator/",
                "/api/v1/%6Fps/decisions",
                "/api/v1;x=1/ops;y=2/decisions",
                "/api/v1//ops/decisions",
                "/api/v1/activities/../ops/decisions",
                "/API/V1/OPS/decisions",
                "/v3/api-docs/",
                "/v3;x=1/api-docs"
            })
    void otherwiseWritten(String path) throws Exception {
        assertThat(askAsPlayer(path).status()).isIn(400, 404);
    }

    @Test
    @DisplayName("serves the page for players and streams on the other one alone, and the API on both, for its page")
    void players() throws Exception {
        assertThat(askAsPlayer("/").status()).isEqualTo(200);
        assertThat(askAsOperator("/").status()).isEqualTo(404);
        assertThat(askAsPlayer("/api/v1/activities").status()).isEqualTo(200);
        assertThat(askAsOperator("/api/v1/activities").status()).isEqualTo(200);
        assertThat(askAsOperator("/api/v1/activities/1/winners/stream").status())
                .isEqualTo(404);
    }

    @Test
    @DisplayName("serves operators' paths alone there, without a page")
    void withoutPage() throws Exception {
        try (ReservedPort other = ReservedPort.any()) {
            Map<String, String> environment = Servers.environmentOfTrial();
            environment.put("LOTTERY_MANAGEMENT_PORT", Integer.toString(other.number()));
            environment.put("LOTTERY_CONSOLE", "false");
            URI there = URI.create("http://127.0.0.1:" + other.number());
            try (LotteryProcess pageless = LotteryProcess.open(environment)) {
                assertThat(ask(there, "/api/v1/ops/decisions").status()).isEqualTo(200);
                assertThat(ask(there, "/api/v1/activities").status()).isEqualTo(404);
                assertThat(ask(there, "/console").status()).isEqualTo(404);
                assertThat(ask(there, "/api/v1/session/ways").status()).isEqualTo(200);
                assertThat(ask(pageless.address(), "/").status()).isEqualTo(404);
            }
        }
    }

    @ParameterizedTest(name = "lets a page of {0} change something: {1}")
    @CsvSource({"same-origin, true", "none, true", "same-site, false", "cross-site, false"})
    void foreignPages(String site, boolean isAllowed) throws Exception {
        URI operators = URI.create("http://127.0.0.1:" + port.number());
        String asked = "%s /api/v1/ops/decisions HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: " + site
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        RawAnswer change = RawConnection.ask(operators, asked.formatted("POST"));
        assertThat(change.status()).isEqualTo(isAllowed ? 405 : 403);
        assertThat(RawConnection.ask(operators, asked.formatted("GET")).status())
                .isEqualTo(200);
    }

    @ParameterizedTest(name = "lets a page from {0} change something: {1}, in a browser that says only that")
    @CsvSource({"http://operators:8081, true", "http://operators, false", "http://example.org, false", "null, false"})
    void foreignOrigins(String origin, boolean isAllowed) throws Exception {
        RawAnswer change = RawConnection.ask(
                URI.create("http://127.0.0.1:" + port.number()),
                "POST /api/v1/ops/decisions HTTP/1.1\r\nHost: operators:8081\r\nOrigin: " + origin
                        + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(change.status()).isEqualTo(isAllowed ? 405 : 403);
    }

    @ParameterizedTest(name = "answers {0} on both, for load balancers")
    @ValueSource(strings = {"/livez", "/readyz"})
    void both(String path) throws Exception {
        assertThat(askAsPlayer(path).status()).isEqualTo(200);
        assertThat(askAsOperator(path).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("cannot be reached from another machine on it, unless its address says so")
    void loopback() throws Exception {
        Optional<InetAddress> outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .filter(address -> address.getAddress().length == 4)
                .findFirst();
        if (outside.isPresent()) {
            URI address = URI.create("http://%s:%d".formatted(outside.get().getHostAddress(), port.number()));
            assertThatThrownBy(() -> ask(address, "/actuator/health")).isInstanceOf(ConnectException.class);
        }
    }
}
