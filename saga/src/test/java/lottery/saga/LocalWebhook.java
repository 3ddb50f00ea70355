package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A local webhook, which behaves well or badly as the path says. */
final class LocalWebhook {

    static final String SECRET = "a secret of the tests with enough characters";

    private static final List<ReceivedCall> CALLS = new CopyOnWriteArrayList<>();
    private static final CountDownLatch RELEASE = new CountDownLatch(1);
    private static final HttpServer SERVER = start();

    private LocalWebhook() {}

    record ReceivedCall(String path, String target, Headers headers, String body) {}

    static String authority() {
        return "localhost:" + SERVER.getAddress().getPort();
    }

    /** Returns another name of the same server. */
    static String otherAuthority() {
        return "127.0.0.1:" + SERVER.getAddress().getPort();
    }

    /** Returns the names under which the server may be called. */
    static List<String> allowed() {
        return List.of(authority(), otherAuthority(), hangingAuthority(0), hangingAuthority(1), hangingAuthority(2));
    }

    /** Returns the name of the same server under which it hangs in a round. Such a host is not called for a while. */
    static String hangingAuthority(int round) {
        return "127.0.0.%d:%d".formatted(3 + round, SERVER.getAddress().getPort());
    }

    static String url(String path) {
        return "http://" + authority() + path;
    }

    static List<ReceivedCall> calls(String path) {
        return CALLS.stream().filter(call -> call.path().equals(path)).toList();
    }

    static boolean isCalledBelow(String path) {
        return CALLS.stream().anyMatch(call -> call.path().startsWith(path));
    }

    private static HttpServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(0), 100);
            server.setExecutor(Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("webhook-", 0).factory()));
            server.createContext("/", LocalWebhook::handle);
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        CALLS.add(new ReceivedCall(path, exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body));
        String kind = path.split("/", -1)[1];
        switch (kind) {
            case "good" -> answer(exchange, 200, "{\"reference\":\"shop-" + path.substring("/good/".length()) + "\"}");
            case "odd" -> answer(exchange, 201, "{\"reference\":\"two\\nlines\"}");
            case "broken-once" -> answer(exchange, calls(path).size() == 1 ? 500 : 200, "{\"reference\":\"second\"}");
            // It acts like a receiver that stores keys: during the first call it refuses the second one.
            case "under-way" -> answer(exchange, calls(path).size() == 1 ? 500 : 409, "{\"reason\":\"in progress\"}");
            case "mended" -> answer(exchange, calls(path).size() <= 3 ? 503 : 200, "{\"reference\":\"shop-mended\"}");
            case "broken" -> answer(exchange, 503, "come back later");
            case "no" -> answer(exchange, 410, "{\"reason\":\"the coupons are gone\"}");
            case "elsewhere" -> {
                exchange.getResponseHeaders().add("Location", url("/good/by-redirect"));
                answer(exchange, 302, "");
            }
            case "huge" -> flood(exchange);
            case "hang" -> hang(exchange);
            default -> answer(exchange, 404, "");
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Sends for as long as the caller reads. */
    private static void flood(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        byte[] much = "x".repeat(64 << 10).getBytes(UTF_8);
        try (exchange) {
            for (int i = 0; i < 10_000; i++) {
                exchange.getResponseBody().write(much);
            }
        }
    }

    private static void hang(HttpExchange exchange) throws IOException {
        try {
            if (RELEASE.await(1, TimeUnit.MINUTES)) {
                answer(exchange, 200, "");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }
}
