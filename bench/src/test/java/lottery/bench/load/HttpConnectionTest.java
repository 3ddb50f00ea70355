package lottery.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.bench.load.HttpConnection.HttpReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The connection to the lottery")
@Timeout(20)
class HttpConnectionTest {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final String LONG = "all of it ".repeat(10_000);

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server = server();

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void serve() {
        server.createContext("/known", exchange -> answer(exchange, 200, LONG, LONG.length()));
        server.createContext("/pieces", exchange -> answer(exchange, 201, LONG, 0));
        server.createContext(
                "/refused", exchange -> answer(exchange, 409, "{\"status\":409,\"code\":\"QUOTA_DAY\"}", 0));
        server.createContext("/nothing", exchange -> answer(exchange, 204, "", -1));
        server.start();
    }

    private void answer(HttpExchange exchange, int status, String body, long length) throws IOException {
        try (exchange) {
            asked.add("%s %s %s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                            new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            exchange.sendResponseHeaders(status, length);
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    @Test
    @DisplayName("A connection carries answers of a known length, in pieces and without a body, one after the other")
    void answers() throws IOException {
        try (HttpConnection connection = HttpConnection.open(url(), ANSWER_MAX)) {
            for (int round = 0; round < 3; round++) {
                assertThat(connection.ask(HttpConnection.get(url(), "/known"))).isEqualTo(new HttpReply(200, LONG));
                assertThat(connection.ask(HttpConnection.post(url(), "/pieces", "key-1", "{\"count\": 2}")))
                        .isEqualTo(new HttpReply(201, LONG));
                assertThat(connection.ask(HttpConnection.post(url(), "/nothing", "", "")))
                        .isEqualTo(new HttpReply(204, ""));
            }
        }
        assertThat(asked)
                .hasSize(9)
                .startsWith("GET /known null ", "POST /pieces key-1 {\"count\": 2}", "POST /nothing null ");
    }

    @Test
    @DisplayName("A connection with a token sends it with each request")
    void token() throws IOException {
        List<String> tokens = new CopyOnWriteArrayList<>();
        server.createContext("/token", exchange -> {
            tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, 200, LONG, LONG.length());
        });
        try (HttpConnection connection = HttpConnection.open(url(), ANSWER_MAX, "a.b.c")) {
            connection.ask(HttpConnection.get(url(), "/token"));
            assertThat(connection.ask(HttpConnection.post(url(), "/token", "key-1", "{}")))
                    .isEqualTo(new HttpReply(200, LONG));
        }
        assertThat(tokens).containsExactly("Bearer a.b.c", "Bearer a.b.c");
        assertThat(asked).endsWith("POST /token key-1 {}");
    }

    @Test
    @DisplayName("A reply knows the code of a refusal")
    void refusal() throws IOException {
        try (HttpConnection connection = HttpConnection.open(url(), ANSWER_MAX)) {
            assertThat(connection.ask(HttpConnection.get(url(), "/refused")).name())
                    .isEqualTo("409 QUOTA_DAY");
            assertThat(connection.ask(HttpConnection.get(url(), "/known")).name())
                    .isEqualTo("200");
            assertThat(connection.ask(HttpConnection.get(url(), "/unknown")).name())
                    .isEqualTo("404");
        }
    }

    @Test
    @DisplayName("A connection is opened anew when the server has said that it closes the old one")
    void last() throws IOException {
        server.createContext("/last", exchange -> {
            exchange.getResponseHeaders().set("Connection", "close");
            answer(exchange, 200, "bye", 3);
        });
        try (HttpConnection connection = HttpConnection.open(url(), ANSWER_MAX)) {
            for (int i = 0; i < 3; i++) {
                assertThat(connection.ask(HttpConnection.get(url(), "/last")).text())
                        .isEqualTo("bye");
            }
        }
    }

    @Test
    @DisplayName("A connection reports that nobody answers when the server closes it")
    void hungUp() throws IOException {
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpConnection connection =
                        HttpConnection.open(URI.create("http://localhost:" + deaf.getLocalPort()), ANSWER_MAX)) {
            deaf.accept().close();
            assertThatThrownBy(() -> connection.ask(HttpConnection.get(url(), "/")))
                    .isInstanceOfAny(EOFException.class, IOException.class);
        }
    }
}
