package lottery.fairness;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The public random values of a drand chain. It asks relays, one after the other, until one has the value. Relays are
 * not trusted: a value without the chain's signature is ignored.
 */
final class DrandBeacon implements PublicRandomness, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DrandBeacon.class);

    /** The longest call of one relay. A command waits for all of them. */
    private static final Duration CALL_MAX = Duration.ofSeconds(2);

    private static final int BODY_BYTES_MAX = 4 << 10;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DrandChain chain;
    private final List<String> relays;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(CALL_MAX)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    DrandBeacon(DrandChain chain, List<String> relays) {
        chain.requireLibrary();
        this.chain = chain;
        this.relays = List.copyOf(relays);
    }

    @Override
    public boolean isThere() {
        return true;
    }

    @Override
    public String source() {
        return chain.source();
    }

    @Override
    public String roundAt(Instant drawAt) {
        return Long.toString(chain.roundAt(drawAt));
    }

    @Override
    public Optional<String> valueOf(String round) {
        for (String relay : relays) {
            Optional<String> value = ask(relay, round);
            if (value.isPresent()) {
                return value;
            }
        }
        return Optional.empty();
    }

    private Optional<String> ask(String relay, String round) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("%s/%s/public/%s".formatted(relay, chain.hash(), round)))
                .timeout(CALL_MAX)
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_BYTES_MAX));
        try {
            HttpResponse<byte[]> response = answer.get(CALL_MAX.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != 200) {
                LOG.warn("The relay {} answers {} for round {}.", relay, response.statusCode(), round);
                return Optional.empty();
            }
            String value = JSON.readTree(response.body())
                    .path("signature")
                    .asString("")
                    .toLowerCase(Locale.ROOT);
            if (!chain.isSigned(round, value)) {
                LOG.error("The relay {} gives a value for round {} that the chain has not signed.", relay, round);
                return Optional.empty();
            }
            return Optional.of(value);
        } catch (ExecutionException | TimeoutException | JacksonException e) {
            LOG.warn("The relay {} does not give round {}: {}.", relay, round, e.toString());
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public void destroy() {
        http.shutdownNow();
    }
}
