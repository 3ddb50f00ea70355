package lottery.problem;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import lottery.store.trace.TraceId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("Refusals of the server itself")
class ProblemValveTest {

    private static final int WAIT_MAX_MS = 20_000;
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final JsonMapper JSON = new JsonMapper();

    /** A second for each refusal, so that all are logged. */
    private static final AtomicLong SECONDS = new AtomicLong();

    private static final Queue<String> LINES = new ConcurrentLinkedQueue<>();

    private static WebServer server;

    /** Fails in the way that the path names. */
    static final class FailingServlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/bug")) {
                throw new IllegalStateException("a secret");
            }
            response.sendError(Integer.parseInt(request.getRequestURI().substring(1)), "a secret");
        }
    }

    @BeforeAll
    static void start() {
        ProblemConfiguration side = new ProblemConfiguration();
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        RefusalLog log = new RefusalLog(
                () -> Instant.ofEpochSecond(SECONDS.incrementAndGet()),
                line -> LINES.add(MDC.get(TraceId.KEY) + " " + line));
        side.problemsOfTheServer(new ProblemDocuments(new RefusalTexts(), log), side.localeResolver(), JSON)
                .customize(factory);
        server = factory.getWebServer(
                context -> context.addServlet("failing", new FailingServlet()).addMapping("/"));
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "GET /%00 HTTP/1.1, 400, INVALID, false",
        "GET /< HTTP/1.1, 400, INVALID, false",
        "NONSENSE, 400, INVALID, false",
        "GET / HTTP/7.5, 505, INVALID, false",
        "TRACE / HTTP/1.1, 405, INVALID, false",
        "GET /404 HTTP/1.1, 404, NOT_FOUND, false",
        "GET /503 HTTP/1.1, 503, NOT_READY, true",
        "GET /599 HTTP/1.1, 599, INVALID, false",
        "GET /507 HTTP/1.1, 507, INTERNAL, true",
        "GET /bug HTTP/1.1, 500, INTERNAL, true",
    })
    @DisplayName("A refusal of the server is a problem document, which reveals nothing of the inside.")
    void documents(String line, int status, String code, boolean isRetryable) throws IOException {
        String reply = ask(line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(reply)
                .startsWith("HTTP/1.1 " + status)
                .contains("Content-Type: application/problem+json\r\n")
                .doesNotContain("Tomcat", "secret", "Exception", "html");
        JsonNode problem = document(reply);
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(problem.get("code").asString()).isEqualTo(code);
        assertThat(problem.get("retryable").asBoolean()).isEqualTo(isRetryable);
        assertThat(problem.get("type").asString()).isNotBlank();
        assertThat(problem.get("title").asString()).isNotBlank();
        assertThat(problem.get("detail").asString()).isNotBlank();
        assertThat(problem.get("traceId").asString()).matches("[0-9a-f]{32}");
    }

    @Test
    @DisplayName("A refusal of the server has the request's language and trace id, as far as its headers can be read.")
    void headers() throws IOException {
        JsonNode problem = document(ask("GET /%00 HTTP/1.1\r\nHost: localhost\r\nAccept-Language: zh-CN\r\n"
                + "traceparent: 00-" + TRACE + "-00f067aa0ba902b7-01\r\nConnection: close\r\n\r\n"));
        assertThat(problem.get("title").asString()).isEqualTo("请求格式有误");
        assertThat(problem.get("traceId").asString()).isEqualTo(TRACE);
        assertThat(LINES).contains(TRACE + " A request was refused: INVALID");
        JsonNode unread = document(ask("GARBLED\r\nAccept-Language: zh-CN\r\n\r\n"));
        assertThat(unread.get("title").asString()).isEqualTo("The request is malformed");
    }

    private static String ask(String request) throws IOException {
        try (Socket socket = new Socket("localhost", server.getPort())) {
            socket.setSoTimeout(WAIT_MAX_MS);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static JsonNode document(String reply) {
        return JSON.readTree(reply.substring(reply.indexOf("\r\n\r\n") + 4));
    }
}
