package lottery;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends HTTP requests like any client. */
final class Http {

    private static final Duration WAIT_MAX = Duration.ofSeconds(20);
    private static final JsonMapper JSON = new JsonMapper();

    record Response(int status, String text, HttpResponse<String> raw) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        String header(String name) {
            return raw.headers().firstValue(name).orElse("");
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(WAIT_MAX).build();
    private final String base;

    Http(int port) {
        this.base = "http://localhost:" + port;
    }

    Response post(String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(WAIT_MAX)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    Response put(String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(WAIT_MAX)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    Response delete(String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path))
                .timeout(WAIT_MAX)
                .DELETE());
    }

    Response delete(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(base + path))
                .timeout(WAIT_MAX)
                .header("Content-Type", "application/json")
                .method("DELETE", HttpRequest.BodyPublishers.ofString(body)));
    }

    Response get(String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(WAIT_MAX);
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    private Response send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            return new Response(response.statusCode(), response.body(), response);
        } catch (IOException e) {
            throw new IllegalStateException("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    static String json(Map<String, ?> values) {
        return JSON.writeValueAsString(values);
    }
}
