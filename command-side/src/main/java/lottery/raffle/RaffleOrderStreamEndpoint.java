package lottery.raffle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;
import lottery.messaging.draw.DrawQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Streams the progress of an order in the queue, as server-sent events, until the order is drawn or refused. */
@RestController
@Tag(name = "Order", description = "Orders that have spent a chance: read, draw or cancel them.")
class RaffleOrderStreamEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(RaffleOrderStreamEndpoint.class);

    /** The most streams of a process, because each connection costs about 50 kB. */
    private static final int STREAMS_MAX = 4_000;

    /** The pause between two looks at an order. As long as the order waits in the queue, a look only reads memory. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * The pause between two looks while the queue cannot be reached. It is longer, because each look then asks
     * PostgreSQL.
     */
    private static final Duration LOOK_WHILE_AWAY = Duration.ofSeconds(10);

    /** The silence after which a comment is sent, because proxies cut silent connections. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    /** The longest stream. A client that waits for longer opens another stream. */
    private static final Duration LENGTH_MAX = Duration.ofMinutes(15);

    private final RaffleOrderLookup orders;
    private final DrawQueue queue;
    private final JsonMapper json;
    private final InstantSource clock;
    private final Semaphore room = new Semaphore(STREAMS_MAX);
    private final CountDownLatch closing = new CountDownLatch(1);

    RaffleOrderStreamEndpoint(RaffleOrderLookup orders, DrawQueue queue, JsonMapper json, InstantSource clock) {
        this.orders = orders;
        this.queue = queue;
        this.json = json;
        this.clock = clock;
    }

    @Operation(summary = "Follow an order until it is drawn", description = """
                    Sends server-sent events about an order. `queued` has the position, and is sent when the position or
                    the expected wait changes, at most once a second. `used` or `refused` is the last event; then the
                    stream ends. The data of each event is the order. An order outside the queue is sent once. The
                    stream ends after 15 minutes in any case; the client can then open it again.""")
    @GetMapping(path = "/api/v1/raffle-orders/{orderId}/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void streamRaffleOrder(
            @PathVariable RaffleOrderId orderId,
            Locale locale,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        RaffleOrderDetails first = orders.find(orderId, locale);
        if (request.getMethod().equals(HttpMethod.HEAD.name())) {
            response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            return;
        }
        if (!room.tryAcquire()) {
            throw new RefusedException(Refusal.BUSY, orderId.text());
        }
        try {
            response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            response.setCharacterEncoding(UTF_8.name());
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            // This keeps proxies from buffering the stream.
            response.setHeader("X-Accel-Buffering", "no");
            follow(first, locale, response.getOutputStream());
        } catch (IOException hungUp) {
            LOG.debug("The client that followed {} has closed its connection.", orderId, hungUp);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } finally {
            room.release();
        }
    }

    private void follow(RaffleOrderDetails first, Locale locale, OutputStream out)
            throws IOException, InterruptedException {
        out.write("retry: 2000\n\n".getBytes(US_ASCII));
        RaffleOrderDetails latest = first;
        send(latest, out);
        Instant begin = clock.instant();
        Instant said = begin;
        while (latest.state() == RaffleOrderState.QUEUED && !isOver(begin, LENGTH_MAX)) {
            Duration pause = queue.isCurrent() ? LOOK : LOOK_WHILE_AWAY;
            if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            RaffleOrderDetails next = look(latest.orderId(), locale);
            if (next != null && !next.equals(latest)) {
                latest = next;
                send(latest, out);
                said = clock.instant();
            } else if (isOver(said, SILENCE_MAX)) {
                out.write(":\n\n".getBytes(US_ASCII));
                out.flush();
                said = clock.instant();
            }
        }
    }

    private boolean isOver(Instant begin, Duration time) {
        return !clock.instant().isBefore(begin.plus(time));
    }

    /** Returns the order; null if nobody knows it at this moment. */
    private @Nullable RaffleOrderDetails look(RaffleOrderId orderId, Locale locale) {
        try {
            return orders.find(orderId, locale);
        } catch (RuntimeException away) {
            LOG.debug("{} could not be read. It is tried again.", orderId, away);
            return null;
        }
    }

    private void send(RaffleOrderDetails order, OutputStream out) throws IOException {
        out.write("event: %s\ndata: %s\n\n"
                .formatted(order.state().name().toLowerCase(Locale.ROOT), json.writeValueAsString(order))
                .getBytes(UTF_8));
        out.flush();
    }

    /** Ends all streams before the server waits for its requests. */
    @EventListener
    void on(@SuppressWarnings("unused") ContextClosedEvent closed) {
        closing.countDown();
    }
}
