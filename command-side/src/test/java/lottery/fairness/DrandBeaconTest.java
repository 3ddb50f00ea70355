package lottery.fairness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The random values of a public chain")
class DrandBeaconTest {

    private static final String ROUND = "1000";

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<DrandBeacon> beacons = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void stop() {
        end.countDown();
        beacons.forEach(DrandBeacon::destroy);
        servers.forEach(server -> server.stop(0));
    }

    /** Starts a relay that gives this answer to each question. */
    private String relay(int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            try (exchange) {
                byte[] bytes = body.getBytes(UTF_8);
                exchange.sendResponseHeaders(status, bytes.length + 1L);
                exchange.getResponseBody().write(bytes);
                if (body.isEmpty()) {
                    end.await(20, TimeUnit.SECONDS);
                }
                exchange.getResponseBody().write(' ');
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        servers.add(server);
        return "http://localhost:" + server.getAddress().getPort();
    }

    private String right() throws IOException {
        return relay(200, "{\"round\": 1000, \"signature\": \"%s\"}".formatted(DrandChainTest.OF_1000));
    }

    private DrandBeacon of(String... relays) {
        DrandBeacon beacon = new DrandBeacon(DrandChain.QUICKNET, List.of(relays));
        beacons.add(beacon);
        return beacon;
    }

    @Test
    @DisplayName("come from a relay of the chain.")
    void asks() throws IOException {
        DrandBeacon beacon = of(right());
        assertThat(beacon.valueOf(ROUND)).contains(DrandChainTest.OF_1000);
        assertThat(asked).containsExactly("/" + DrandChain.QUICKNET.hash() + "/public/1000");
        assertThat(beacon.source()).isEqualTo("drand:" + DrandChain.QUICKNET.hash());
        assertThat(beacon.roundAt(Instant.parse("2023-08-23T15:59:24Z"))).isEqualTo(ROUND);
    }

    @Test
    @DisplayName("come from the next relay if one lies, fails, has nothing, says too much, or does not answer.")
    void asksOn() throws IOException {
        String liar = relay(
                200,
                "{\"signature\": \"b09eacd45767c4d58306b98901ad0d6086e2663766f3a4ec71d00cf26f0f49eaf248abc7151c60cf4"
                        + "19c4e8b37e80412\"}");
        String talker = relay(200, "{\"signature\": \"%s\"}".formatted(DrandChainTest.OF_1000) + " ".repeat(1 << 20));
        long begun = System.nanoTime();
        assertThat(of(
                                liar,
                                relay(500, "{}"),
                                relay(404, "{}"),
                                relay(200, "<html>"),
                                talker,
                                relay(200, ""),
                                "http://localhost:1",
                                right())
                        .valueOf(ROUND))
                .contains(DrandChainTest.OF_1000);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("are unknown as long as no relay has a signed one.")
    void unknown() throws IOException {
        assertThat(of(relay(200, "{\"signature\": \"00\"}"), relay(404, "{}")).valueOf(ROUND))
                .isEmpty();
        assertThat(of(right()).valueOf("1001")).as("the value of another round").isEmpty();
    }
}
