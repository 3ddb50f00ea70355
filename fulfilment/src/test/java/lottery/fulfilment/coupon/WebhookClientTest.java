package lottery.fulfilment.coupon;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.fulfilment.coupon.CouponWebhookAnswer.AnswerUnclear;
import lottery.fulfilment.coupon.CouponWebhookAnswer.CouponGranted;
import lottery.messaging.invoice.Invoice.InvoicedAward;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WebhookClientTest {

    private static final int AT_ONE_HOST_MAX = 16;

    private static final CouponRequest COUPON = new CouponRequest(
            AwardRecordId.of("award:33-07226822-d971-81cf-8edd-f6a317c687d5"),
            new UserId("ann"),
            new ActivityId(100),
            new InvoicedAward(101, "A coupon"),
            Map.of(),
            null);

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final HttpServer server;
    private final CouponSettings settings;
    private final WebhookClient client;

    WebhookClientTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/hang", exchange -> {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.createContext("/good", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        settings = new CouponSettings("s".repeat(32), Set.of(authority()), true);
        client = new WebhookClient(settings, now::get, Duration.ofSeconds(2));
    }

    @AfterEach
    void close() {
        released.countDown();
        client.destroy();
        server.stop(0);
    }

    private String authority() {
        return "localhost:" + server.getAddress().getPort();
    }

    private CouponWebhookAnswer ask(String path) throws Exception {
        return client.ask(AllowedWebhookUrl.of("http://" + authority() + path, settings), COUPON);
    }

    @Test
    @DisplayName("A webhook that leaves many calls unanswered is not called for half a minute")
    void silent() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<CouponWebhookAnswer> hanging = () -> ask("/hang");
            threads.invokeAll(Collections.nCopies(AT_ONE_HOST_MAX, hanging));
        }
        for (String path : List.of("/hang", "/good")) {
            assertThat(ask(path))
                    .isInstanceOfSatisfying(
                            AnswerUnclear.class,
                            answer -> assertThat(answer.why()).contains("not called"));
        }
        now.set(Instant.EPOCH.plusSeconds(30));
        assertThat(ask("/good")).isInstanceOf(CouponGranted.class);
    }

    @Test
    @DisplayName("A webhook that answers some calls is called on, however many it leaves unanswered")
    void flaky() throws Exception {
        // Each call is tried three times, so two rounds have 24 calls without an answer.
        for (int round = 0; round < 2; round++) {
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Callable<CouponWebhookAnswer> hanging = () -> ask("/hang");
                threads.invokeAll(Collections.nCopies(4, hanging));
            }
            assertThat(ask("/good")).isInstanceOf(CouponGranted.class);
        }
    }
}
