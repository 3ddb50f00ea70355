package lottery.fulfilment.coupon;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/** Calls webhooks. No call takes longer than the limits here, whatever the receiver does. */
@Component
@EnableConfigurationProperties(CouponSettings.class)
final class WebhookClient implements DisposableBean {

    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);

    /** The timeout of a call, from the first packet to the last byte of the answer. */
    private static final Duration CALL_MAX = Duration.ofSeconds(5);

    /**
     * The timeout of all attempts for one coupon together. If they fail, the grant saga sends another invoice in about
     * a minute.
     */
    private static final Duration ATTEMPTS_MAX = Duration.ofSeconds(8);

    /** The longest wait for a permit to call a host. */
    private static final Duration PLACE_WAIT_MAX = Duration.ofSeconds(4);

    private static final int ATTEMPTS = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private static final int BODY_BYTES_MAX = 16 << 10;

    /**
     * The most calls to one host at the same time. With this limit, a slow receiver is not flooded, and does not delay
     * other receivers.
     */
    private static final int AT_ONE_HOST_MAX = 16;

    /** The number of calls in a row without an answer that opens the circuit of a host. */
    private static final int UNANSWERED_MAX = AT_ONE_HOST_MAX;

    /** How long the circuit of a host stays open. Coupons of other hosts would have to wait behind the calls to it. */
    private static final Duration OPEN_TIME = Duration.ofSeconds(30);

    private static final CouponWebhookAnswer NOT_CALLED =
            new CouponWebhookAnswer.AnswerUnclear("it was not called, because it has not answered the last calls");

    private final CouponSettings settings;
    private final InstantSource clock;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            // A host that may be called must not redirect the call to a host that may not.
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** The map stays small: it has one entry for each host that may be called, however the URLs are written. */
    private final ConcurrentMap<String, Host> hosts = new ConcurrentHashMap<>();

    private final Duration callMax;

    private final CountDownLatch ending = new CountDownLatch(1);

    @Autowired
    WebhookClient(CouponSettings settings, InstantSource clock) {
        this(settings, clock, CALL_MAX);
    }

    WebhookClient(CouponSettings settings, InstantSource clock, Duration callMax) {
        this.settings = settings;
        this.clock = clock;
        this.callMax = callMax;
    }

    /**
     * The permits and the circuit breaker of one host and port. The circuit opens after many calls in a row without an
     * answer. While it is open, the host is not called. An answer closes it.
     */
    private static final class Host {

        private final Semaphore permits = new Semaphore(AT_ONE_HOST_MAX);
        private final AtomicInteger unanswered = new AtomicInteger();
        private volatile Instant openUntil = Instant.MIN;

        private void answered() {
            unanswered.set(0);
            openUntil = Instant.MIN;
        }

        private void notAnswered(Instant now) {
            if (unanswered.incrementAndGet() >= UNANSWERED_MAX) {
                openUntil = now.plus(OPEN_TIME);
            }
        }

        private boolean isOpen(Instant now) {
            return now.isBefore(openUntil);
        }
    }

    /** Asks for the coupon, and repeats an unclear call a few times. */
    CouponWebhookAnswer ask(AllowedWebhookUrl webhook, CouponRequest coupon) throws InterruptedException {
        Host host = hosts.computeIfAbsent(webhook.place(), _ -> new Host());
        if (host.isOpen(clock.instant())) {
            return NOT_CALLED;
        }
        if (!host.permits.tryAcquire(PLACE_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            return new CouponWebhookAnswer.AnswerUnclear("too many calls are under way to it");
        }
        try {
            long endNanos = System.nanoTime() + ATTEMPTS_MAX.toNanos();
            return ask(host, webhook, coupon.awardRecordId().text(), coupon.json(), endNanos);
        } finally {
            host.permits.release();
        }
    }

    private CouponWebhookAnswer ask(Host host, AllowedWebhookUrl webhook, String key, String body, long endNanos)
            throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        CouponWebhookAnswer verdict = NOT_CALLED;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (left <= 0 || host.isOpen(clock.instant())) {
                return verdict;
            }
            verdict = once(host, webhook, key, body, Math.min(left, callMax.toMillis()));
            boolean isLast = !(verdict instanceof CouponWebhookAnswer.AnswerUnclear) || attempt == ATTEMPTS;
            if (isLast || ending.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return verdict;
            }
            pause = pause.multipliedBy(2);
        }
        return verdict;
    }

    private CouponWebhookAnswer once(Host host, AllowedWebhookUrl webhook, String key, String body, long millisMax)
            throws InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request(webhook, key, body), info -> new BoundedBodySubscriber(BODY_BYTES_MAX));
        try {
            HttpResponse<byte[]> response = answer.get(millisMax, TimeUnit.MILLISECONDS);
            host.answered();
            return CouponWebhookAnswer.of(response.statusCode(), response.body());
        } catch (TimeoutException e) {
            if (millisMax == callMax.toMillis()) {
                host.notAnswered(clock.instant());
            }
            return new CouponWebhookAnswer.AnswerUnclear("it has not answered in " + millisMax + " ms");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HttpTimeoutException) {
                host.notAnswered(clock.instant());
            }
            return new CouponWebhookAnswer.AnswerUnclear(
                    Objects.requireNonNullElse(e.getCause(), e).toString());
        } finally {
            // This closes the connection of a late answer.
            answer.cancel(true);
        }
    }

    private HttpRequest request(AllowedWebhookUrl webhook, String key, String body) {
        String timestamp = Long.toString(clock.instant().getEpochSecond());
        return HttpRequest.newBuilder(webhook.uri())
                .timeout(CALL_MAX)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("Idempotency-Key", key)
                .header("Lottery-Timestamp", timestamp)
                .header("Lottery-Signature", WebhookCallSigner.of(webhook, timestamp, body, settings.secret()))
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    /** Ends the waits for another attempt, and closes connections. */
    @Override
    public void destroy() {
        ending.countDown();
        http.shutdownNow();
    }
}
