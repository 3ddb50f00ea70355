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

    /** How many calls in a row a host leaves unanswered, before it is not called for a while. */
    private static final int UNANSWERED_MAX = AT_ONE_HOST_MAX;

    /** How long a host is not called. Coupons of other hosts would have to wait behind the calls to it. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final CouponWebhookAnswer SILENT =
            new CouponWebhookAnswer.Unclear("it was not called, because it has not answered the last calls");

    private final CouponSettings settings;
    private final InstantSource clock;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            // A host that may be called must not redirect the call to a host that may not.
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** The map stays small: it has one entry for each host that may be called, however the URLs are written. */
    private final ConcurrentMap<String, Place> places = new ConcurrentHashMap<>();

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

    /** The calls to one host and port. */
    private static final class Place {

        private final Semaphore permits = new Semaphore(AT_ONE_HOST_MAX);
        private final AtomicInteger unanswered = new AtomicInteger();
        private volatile Instant silentUntil = Instant.MIN;

        private void answered() {
            unanswered.set(0);
        }

        private void notAnswered(Instant now) {
            if (unanswered.incrementAndGet() >= UNANSWERED_MAX) {
                silentUntil = now.plus(SILENCE);
            }
        }

        private boolean isSilent(Instant now) {
            return now.isBefore(silentUntil);
        }
    }

    /** Asks for the coupon, and repeats an unclear call a few times. */
    CouponWebhookAnswer ask(AllowedWebhookUrl webhook, CouponRequest coupon) throws InterruptedException {
        Place place = places.computeIfAbsent(webhook.place(), _ -> new Place());
        if (place.isSilent(clock.instant())) {
            return SILENT;
        }
        if (!place.permits.tryAcquire(PLACE_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            return new CouponWebhookAnswer.Unclear("too many calls are under way to it");
        }
        try {
            long endNanos = System.nanoTime() + ATTEMPTS_MAX.toNanos();
            return ask(place, webhook, coupon.awardRecordId().text(), coupon.json(), endNanos);
        } finally {
            place.permits.release();
        }
    }

    private CouponWebhookAnswer ask(Place place, AllowedWebhookUrl webhook, String key, String body, long endNanos)
            throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        CouponWebhookAnswer verdict = SILENT;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (left <= 0 || place.isSilent(clock.instant())) {
                return verdict;
            }
            verdict = once(place, webhook, key, body, Math.min(left, callMax.toMillis()));
            boolean isLast = !(verdict instanceof CouponWebhookAnswer.Unclear) || attempt == ATTEMPTS;
            if (isLast || ending.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return verdict;
            }
            pause = pause.multipliedBy(2);
        }
        return verdict;
    }

    private CouponWebhookAnswer once(Place place, AllowedWebhookUrl webhook, String key, String body, long millisMax)
            throws InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request(webhook, key, body), info -> new BoundedBodySubscriber(BODY_BYTES_MAX));
        try {
            HttpResponse<byte[]> response = answer.get(millisMax, TimeUnit.MILLISECONDS);
            place.answered();
            return CouponWebhookAnswer.of(response.statusCode(), response.body());
        } catch (TimeoutException e) {
            place.notAnswered(clock.instant());
            return new CouponWebhookAnswer.Unclear("it has not answered in " + millisMax + " ms");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HttpTimeoutException) {
                place.notAnswered(clock.instant());
            }
            return new CouponWebhookAnswer.Unclear(
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
