package lottery.queue;

import java.net.URI;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import lottery.EndpointCommandSender;
import lottery.IdempotentReplyBuilder;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.choice.AudienceMembership;
import lottery.messaging.draw.DrawQueue;
import lottery.messaging.draw.DrawQueuePosition;
import lottery.messaging.draw.QueuedDrawRequest;
import lottery.raffle.RepeatedRequestAnswerer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/**
 * Accepts requests for draws that may wait. It makes the cheap checks: the key, a ban, the rate of a player, whether
 * the user belongs to the audience, and whether the activity is open. The user's chances are checked later, when the
 * draws of the request are made.
 */
@Component
public class DrawQueueing {

    /** The preference of RFC 7240 that asks for an answer before the work is done. */
    private static final String RESPOND_ASYNC = "respond-async";

    private static final String PREFERENCE_APPLIED = "Preference-Applied";

    /** The longest pause, in seconds, that an answer proposes to its caller before the caller asks again. */
    private static final long LOOK_AGAIN_MAX_SECONDS = 30;

    /**
     * A request that was accepted and waits.
     *
     * @param orderId the id under which the request can be looked at
     * @param position the place in the queue; the request that is drawn next has the place 1
     * @param expectedWaitSeconds the expected time until the request is drawn; left out while no request of the queue
     *     is drawn
     */
    public record QueuedDrawReply(
            RaffleOrderId orderId,
            RaffleOrderState state,
            long position,
            @Nullable Long expectedWaitSeconds) {}

    private final EndpointCommandSender commands;
    private final ActivityCache activities;
    private final AudienceMembership audience;
    private final StoredRequestLookup known;
    private final RepeatedRequestAnswerer repeatedRequests;
    private final DrawQueue queue;
    private final InstantSource clock;

    DrawQueueing(
            EndpointCommandSender commands,
            ActivityCache activities,
            AudienceMembership audience,
            StoredRequestLookup known,
            RepeatedRequestAnswerer repeatedRequests,
            DrawQueue queue,
            InstantSource clock) {
        this.commands = commands;
        this.activities = activities;
        this.audience = audience;
        this.known = known;
        this.repeatedRequests = repeatedRequests;
        this.queue = queue;
        this.clock = clock;
    }

    /**
     * Returns whether a request shall wait in the queue. It does so if its caller prefers that, or if all draws of the
     * activity wait in the queue.
     */
    public boolean isWanted(@Nullable String prefer, ActivityId activityId) {
        return isPreferred(prefer) || isUsual(activityId);
    }

    private boolean isUsual(ActivityId activityId) {
        return switch (activities.find(activityId)) {
            case Answer.Done<ActivityProgress>(ActivityProgress activity) ->
                Boolean.TRUE.equals(activity.definition().queued());
            case Answer.No<ActivityProgress> _ -> false;
        };
    }

    private static boolean isPreferred(@Nullable String prefer) {
        return prefer != null
                && Stream.of(prefer.split(",", -1))
                        .map(each -> each.split(";", -1)[0].strip().toLowerCase(Locale.ROOT))
                        .anyMatch(RESPOND_ASYNC::equals);
    }

    /**
     * Accepts a request. The request is durable when this method returns. If the request is repeated after its draws
     * were made, the caller gets the answer with these draws again. This holds even if the activity has changed since
     * then.
     *
     * @param key the idempotency key, which is required; without it, a caller who loses the answer could not ask for
     *     the answer again
     * @param matters what a trusted caller says about the user
     * @param reply the form in which the caller gets draws that were made
     */
    public ResponseEntity<?> accept(
            AccountId account,
            @Nullable String key,
            int count,
            Map<String, String> matters,
            Function<DrawRequestResult, ?> reply) {
        if (key == null) {
            throw new RefusedException(Refusal.KEY_REQUIRED, account.text());
        }
        commands.requireNotBanned(account.userId());
        RaffleRequestIdentity request = RaffleRequestIdentity.of(account, key);
        boolean isNew = queue.seen(request.id()).isEmpty();
        commands.requireRate(account, isNew ? count : 1);
        if (isNew) {
            if (known.has(request.id())) {
                return IdempotentReplyBuilder.repeated(reply.apply(earlier(request, count)));
            }
            audience.admit(account, matters)
                    .then(_ -> activities.findOpen(account.activityId()))
                    .then(DrawableActivity::drawsAtOnce)
                    .orThrow();
        }
        return accepted(queue.accept(new QueuedDrawRequest(
                request.id(),
                account.activityId(),
                account.userId(),
                count,
                clock.instant().truncatedTo(ChronoUnit.MICROS))));
    }

    /** Returns the earlier answer to the same request. If that answer was a refusal, it is thrown. */
    private DrawRequestResult earlier(RaffleRequestIdentity request, int count) {
        return repeatedRequests
                .draws(
                        request,
                        count,
                        new Refused(Refusal.KEY_REUSED, request.id().text()))
                .orThrow();
    }

    private static ResponseEntity<QueuedDrawReply> accepted(DrawQueuePosition queued) {
        RaffleOrderId orderId = queued.request().orderId();
        ResponseEntity.BodyBuilder reply = ResponseEntity.accepted()
                .location(URI.create("/api/v1/raffle-orders/" + orderId))
                .header(PREFERENCE_APPLIED, RESPOND_ASYNC)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(lookAgainSeconds(queued)));
        if (!queued.isNew()) {
            reply.header(IdempotentReplyBuilder.REPLAYED, "true");
        }
        return reply.body(
                new QueuedDrawReply(orderId, RaffleOrderState.QUEUED, queued.position(), queued.expectedWaitSeconds()));
    }

    private static long lookAgainSeconds(DrawQueuePosition queued) {
        Long wait = queued.expectedWaitSeconds();
        return wait == null ? 1 : Math.clamp(wait, 1, LOOK_AGAIN_MAX_SECONDS);
    }
}
