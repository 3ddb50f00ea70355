package lottery.view.winners;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.award.Winners;
import lottery.store.log.Logs;
import lottery.view.AnswersFromReadModels;
import lottery.view.Paging;
import lottery.view.Query;
import lottery.view.SingleFlight;
import lottery.view.activity.RedisActivityReadModel;
import lottery.view.winners.WinnerBroadcaster.WinnerSubscription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/** Shows the latest winners over REST, and streams them as server-sent events. */
@RestController
@Tag(name = "Winners", description = "The latest winners, with masked names.")
@AnswersFromReadModels({"activities", "winners"})
class WinnersEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(WinnersEndpoint.class);

    private static final String WINNERS = "/api/v1/activities/{activityId}/winners";

    /** The interval is shorter than the time after which proxies cut silent connections. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final String LAST_EVENT_ID = "Last-Event-ID";

    /** Asks for the winners of an activity, the newest first. The answer is empty if there is no such activity. */
    private record FindWinners(ActivityId activityId, int limit) implements Query<Optional<Winners>> {}

    private final SingleFlight questions;
    private final RedisActivityReadModel activities;
    private final WinnerRowRepository rows;
    private final WinnerBroadcaster broadcaster;
    private final int logs;

    WinnersEndpoint(
            SingleFlight questions,
            RedisActivityReadModel activities,
            WinnerRowRepository rows,
            WinnerBroadcaster broadcaster,
            Logs logs) {
        this.questions = questions;
        this.activities = activities;
        this.rows = rows;
        this.broadcaster = broadcaster;
        this.logs = logs.all().size();
    }

    @Operation(summary = "List the latest winners", description = """
                    Returns the latest winners of an activity with masked names, the newest first, without winners of
                    the fallback award. There are no further pages. For later winners, follow the stream from the
                    `position` of a winner.""")
    @GetMapping(WINNERS)
    Winners listWinners(@PathVariable ActivityId activityId, @RequestParam(defaultValue = "20") int limit) {
        Paging.requireLimit(limit);
        return find(activityId, limit);
    }

    private Winners find(ActivityId activityId, int limit) {
        return questions
                .ask(new FindWinners(activityId, limit), this::answer)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }

    private Optional<Winners> answer(FindWinners query) {
        return activities.has(query.activityId())
                ? Optional.of(new Winners(rows.newest(query.activityId(), query.limit())))
                : Optional.empty();
    }

    /**
     * Streams winners. The thread of the request sends to its subscriber until the stream ends. Such threads are
     * virtual, so that there may be thousands of them.
     *
     * @param lastEventId the position after which the stream starts, for a client that has read a list before. This is
     *     a parameter, because a browser cannot set the header {@code Last-Event-ID} itself
     */
    @Operation(summary = "Follow the winners as they come", description = """
                    Sends each new winner as a server-sent event, with a masked name. The stream starts with the next
                    winner, or after the position in `lastEventId` or in the header `Last-Event-ID`. The connection
                    stays open, with a comment every 15 seconds.""")
    @GetMapping(path = WINNERS + "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void streamWinners(
            @PathVariable ActivityId activityId,
            @RequestParam(required = false) @Nullable String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        // A subscriber to an activity that does not exist would wait for ever.
        var _ = find(activityId, 1);
        if (request.getMethod().equals(HttpMethod.HEAD.name())) {
            // A HEAD request ends here. Nothing would be sent on its stream, so a closed connection would not be
            // noticed.
            response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            return;
        }
        String header = request.getHeader(LAST_EVENT_ID);
        WinnerPositions seen = positions(header == null ? lastEventId : header).orElse(null);
        WinnerSubscription place = broadcaster
                .enter(activityId, seen == null ? WinnerPositions.none(logs) : seen)
                .orElseThrow(() -> new RefusedException(Refusal.BUSY, activityId.text()));
        // Without this call the ETag filter would hold the stream back, and a closed connection would not be noticed.
        ShallowEtagHeaderFilter.disableContentCaching(request);
        try {
            byte[] missed = seen == null ? new byte[0] : broadcaster.missed(place, seen);
            response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            response.setCharacterEncoding(StandardCharsets.UTF_8);
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            // This keeps proxies from buffering the stream.
            response.setHeader("X-Accel-Buffering", "no");
            send(place.listener(), missed, response.getOutputStream());
        } catch (IOException hungUp) {
            LOG.debug("A listener to the winners of {} has closed its connection.", activityId, hungUp);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } finally {
            broadcaster.leave(place.listener());
        }
    }

    private static void send(WinnerSubscriber listener, byte[] missed, OutputStream out)
            throws IOException, InterruptedException {
        out.write("retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII));
        out.write(missed);
        out.flush();
        while (!listener.isGone()) {
            List<byte[]> news = listener.next(HEARTBEAT);
            if (news.isEmpty()) {
                out.write(":\n\n".getBytes(StandardCharsets.US_ASCII));
            }
            for (byte[] each : news) {
                out.write(each);
            }
            out.flush();
        }
    }

    /** Returns the positions after which the stream starts; empty: it begins with the next winner. */
    private Optional<WinnerPositions> positions(@Nullable String lastEventId) {
        return Optional.ofNullable(lastEventId).flatMap(text -> WinnerPositions.of(text, logs));
    }
}
