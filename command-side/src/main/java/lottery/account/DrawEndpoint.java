package lottery.account;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.IdempotentResult;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.Enter;
import lottery.api.account.AccountCommand.Partake;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.FewerDrawsReason;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.tree.TreeDefinition;
import lottery.choice.MatterValueDeserializer;
import lottery.pool.EntryNumberSeries;
import lottery.queue.DrawQueueing;
import lottery.raffle.RaffleOrderReply;
import lottery.raffle.RepeatedRequestAnswerer;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Spends chances over REST: on draws, and on orders that are drawn later. */
@RestController
@Tag(name = "Draw", description = "Spending chances: draws, and orders that are drawn later.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class DrawEndpoint {

    private static final String ACCOUNT = "/api/v1/activities/{activityId}/accounts/{userId}";

    private static final int MATTERS_MAX = 50;

    /**
     * @param count how many draws are made at once; one if it is left out
     * @param matters what a front knows about the user, for an activity with an audience
     */
    record DrawRequest(
            @Nullable @Min(1) @Max(Draw.COUNT_MAX) Integer count,

            @Nullable @Size(max = MATTERS_MAX) @JsonDeserialize(contentUsing = MatterValueDeserializer.class)
            Map<
                            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX) String,
                            @NotNull @Size(max = TreeDefinition.VALUE_LENGTH_MAX) String>
                    matters) {}

    /** @param matters what a front knows about the user, for an activity with an audience */
    record RaffleOrderRequest(
            @Nullable @Size(max = MATTERS_MAX) @JsonDeserialize(contentUsing = MatterValueDeserializer.class)
            Map<
                            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX) String,
                            @NotNull @Size(max = TreeDefinition.VALUE_LENGTH_MAX) String>
                    matters) {}

    /**
     * The answer to a draw request: one draw if one was asked for, otherwise a list.
     *
     * @param notDrawn the draws that were asked for but not made
     */
    record DrawReply(
            @JsonUnwrapped @Nullable DrawResult draw,
            @Nullable List<DrawResult> draws,
            @Nullable DrawShortfall notDrawn) {

        static DrawReply of(DrawRequestResult made, int asked) {
            if (asked == 1) {
                return new DrawReply(made.draws().getFirst(), null, null);
            }
            FewerDrawsReason why = made.shortage();
            DrawShortfall rest =
                    why == null ? null : new DrawShortfall(asked - made.draws().size(), why.refusal());
            return new DrawReply(null, made.draws(), rest);
        }
    }

    /** @param code the reason why these draws were not made */
    record DrawShortfall(int count, Refusal code) {}

    private static final Logger LOG = LoggerFactory.getLogger(DrawEndpoint.class);

    private final ChanceSpender chances;
    private final RepeatedRequestAnswerer repeatedRequests;
    private final ActivityCache activities;
    private final DrawQueueing queueing;
    private final EntryNumberSeries numbers;
    private final InstantSource clock;
    private final RandomGenerator random;

    DrawEndpoint(
            ChanceSpender chances,
            RepeatedRequestAnswerer repeatedRequests,
            ActivityCache activities,
            DrawQueueing queueing,
            EntryNumberSeries numbers,
            InstantSource clock,
            RandomGenerator random) {
        this.chances = chances;
        this.repeatedRequests = repeatedRequests;
        this.activities = activities;
        this.queueing = queueing;
        this.numbers = numbers;
        this.clock = clock;
        this.random = random;
    }

    @Operation(summary = "Draw awards for a user", description = """
                    Spends chances and returns the results: one draw, or up to ten with `count`. The chance, the draw
                    and the win are stored in one commit. If the user has fewer chances than `count`, all chances are
                    drawn, and `notDrawn` gives the reason for the rest. The response to one draw has the fields of that
                    draw; the response to several draws has the list `draws`. An open order of the user is drawn before
                    any other chance.

                    A request that is repeated with the same `Idempotency-Key` returns the same draw. A key that belongs
                    to another request is refused with KEY_REUSED. Players must always send a key, and all callers must
                    if the activity has `keysRequired`; otherwise the request is refused with KEY_REQUIRED. Without a
                    key, each request of a front is a new draw.

                    The number of chances that a player may spend per second is limited. If the activity has an
                    `audience`, its decision tree must accept the user by the `matters` that the front sends; otherwise
                    the request is refused with NOT_IN_AUDIENCE, and the response shows the path through the tree.

                    With `Prefer: respond-async`, or if the activity is `queued`, the request waits in the queue. The
                    response is then 202 with the order, its position and the expected wait, and a key is always
                    required. Poll the order until its state is USED or REFUSED, or follow its stream. The audience is
                    checked when the request is accepted, and the chances are checked when it is drawn.""")
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = DrawReply.class)))
    @ApiResponse(
            responseCode = "202",
            description = "Accepted: the request waits in the queue and is then drawn or refused",
            headers = {
                @Header(
                        name = HttpHeaders.LOCATION,
                        required = true,
                        description = "The order; read it until it is drawn or refused",
                        schema = @Schema(type = "string", format = "uri-reference")),
                @Header(
                        name = HttpHeaders.RETRY_AFTER,
                        required = true,
                        description = "The number of seconds after which to read the order again",
                        schema = @Schema(type = "integer", format = "int32")),
                @Header(name = IdempotentReplyBuilder.REPLAYED)
            },
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = DrawQueueing.QueuedDrawReply.class)))
    @IdempotentCreation
    @PostMapping(ACCOUNT + "/draws")
    ResponseEntity<?> draw(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
            @RequestHeader(name = IdempotentReplyBuilder.KEY_HEADER, required = false)
                    @Nullable
                    @Pattern(regexp = IdempotentReplyBuilder.KEY)
                    String key,
            @Valid @RequestBody(required = false) @Nullable DrawRequest form) {
        AccountId account = new AccountId(activityId, userId);
        Integer asked = form == null ? null : form.count();
        int times = asked == null ? 1 : asked;
        Map<String, String> matters = trusted(form == null ? null : form.matters());
        if (queueing.isWanted(prefer, activityId)) {
            return queueing.accept(account, key, times, matters, draws -> DrawReply.of(draws, times));
        }
        Draw draw = new Draw(account, request(account, key), times);
        return IdempotentReplyBuilder.of(
                chances.draw(draw, draw, matters).orThrow(), draws -> DrawReply.of(draws, times));
    }

    @Operation(summary = "Take an order that is drawn later", description = """
                    Spends a chance now and returns an order, which is drawn or cancelled later. From ten seconds after the
                    close of the activity, open orders are cancelled. A user has at most one open order in an activity:
                    while there is one, each request returns that order with 200. A request that is repeated with the
                    same `Idempotency-Key` returns the same order, even if that order is no longer open. After 100
                    orders of one day were cancelled, the user can take no other one that day: the request is refused
                    with CANCELLATION_LIMIT. Draws are not refused. The rules for keys and for `matters` are those of
                    draws.""")
    @IdempotentCreation(otherwise = "the order that is already open")
    @PostMapping(ACCOUNT + "/raffle-orders")
    ResponseEntity<RaffleOrderReply> partake(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestHeader(name = IdempotentReplyBuilder.KEY_HEADER, required = false)
                    @Nullable
                    @Pattern(regexp = IdempotentReplyBuilder.KEY)
                    String key,
            @Valid @RequestBody(required = false) @Nullable RaffleOrderRequest form) {
        AccountId account = new AccountId(activityId, userId);
        RaffleRequestIdentity request = request(account, key);
        Map<String, String> matters = trusted(form == null ? null : form.matters());
        IdempotentResult<RaffleOrderId> order = chances.spend(
                        new Partake(account, request), matters, refused -> repeatedRequests.partaken(request, refused))
                .orThrow();
        RaffleOrderReply reply = RaffleOrderReply.created(order.value());
        if (order.isReplayed()) {
            return IdempotentReplyBuilder.repeated(reply);
        }
        return order.value().equals(request.id())
                ? IdempotentReplyBuilder.created(URI.create("/api/v1/raffle-orders/" + order.value()), reply)
                : ResponseEntity.ok(reply);
    }

    /**
     * Returns the matters: facts about the user, sent by a trusted caller. Matters from a player are refused, because
     * players could claim anything about themselves.
     */
    private static Map<String, String> trusted(@Nullable Map<String, String> matters) {
        if (matters != null && isOfPlayer()) {
            throw new RefusedException(Refusal.FORBIDDEN, "matters");
        }
        return matters == null ? Map.of() : matters;
    }

    /** @param matters what a front knows about the user, for an activity with an audience */
    record EntryRequest(
            @Nullable @Size(max = MATTERS_MAX) @JsonDeserialize(contentUsing = MatterValueDeserializer.class)
            Map<
                            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX) String,
                            @NotNull @Size(max = TreeDefinition.VALUE_LENGTH_MAX) String>
                    matters) {}

    /**
     * @param entryNo the number of the entry in its activity, counted from 1; left out if the entry gets it when the
     *     pool is frozen
     */
    record EntryReply(RaffleOrderId orderId, @Nullable Integer entryNo) {}

    @Operation(summary = "Enter the pool of an activity that is drawn at one time", description = """
                    Spends a chance and returns the number of the entry. A user can make one entry for each chance. All
                    entries are drawn together at the time that the activity defines. After the entries are closed, the
                    request is refused with ENTRIES_CLOSED. An activity that draws at once refuses it with DRAW_MODE. A
                    request that is repeated with the same `Idempotency-Key` returns the same entry. The rules for keys
                    and for `matters` are those of draws.""")
    @IdempotentCreation
    @PostMapping(ACCOUNT + "/entries")
    ResponseEntity<EntryReply> enter(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestHeader(name = IdempotentReplyBuilder.KEY_HEADER, required = false)
                    @Nullable
                    @Pattern(regexp = IdempotentReplyBuilder.KEY)
                    String key,
            @Valid @RequestBody(required = false) @Nullable EntryRequest form) {
        AccountId account = new AccountId(activityId, userId);
        RaffleRequestIdentity request = request(account, key);
        Map<String, String> matters = trusted(form == null ? null : form.matters());
        return IdempotentReplyBuilder.of(
                chances.spend(
                                new Enter(account, request),
                                matters,
                                refused -> repeatedRequests.entered(request, refused))
                        .orThrow(),
                entry -> new EntryReply(entry, numberOf(activityId, entry, key)));
    }

    /** Returns the number of an entry that is stored. Without its key, a request that is repeated is one more entry. */
    private @Nullable Integer numberOf(ActivityId activityId, RaffleOrderId entry, @Nullable String key) {
        try {
            OptionalInt number = numbers.of(activityId, entry);
            return number.isPresent() ? number.getAsInt() : null;
        } catch (DataAccessException unavailable) {
            if (key != null) {
                throw unavailable;
            }
            LOG.warn(
                    "The number of {} cannot be read: {}. The caller is answered OUTCOME_UNKNOWN.",
                    entry,
                    unavailable.toString());
            throw new RefusedException(Refusal.OUTCOME_UNKNOWN, entry.text());
        }
    }

    private RaffleRequestIdentity request(AccountId account, @Nullable String key) {
        if (key != null) {
            return RaffleRequestIdentity.of(account, key);
        }
        if (isOfPlayer() || areKeysRequired(account.activityId())) {
            throw new RefusedException(Refusal.KEY_REQUIRED, account.text());
        }
        return RaffleRequestIdentity.fresh(account, clock.instant(), random);
    }

    /**
     * Returns whether a player calls. Players must send a key with each request, because their network is the least
     * reliable, so they repeat requests. Without a key, a repeated request would cost a second chance.
     */
    private static boolean isOfPlayer() {
        return Actor.current().map(actor -> actor.scope().ownOnly()).orElse(false);
    }

    private boolean areKeysRequired(ActivityId activityId) {
        return switch (activities.find(activityId)) {
            case Answer.Done<ActivityProgress>(ActivityProgress activity) ->
                Boolean.TRUE.equals(activity.definition().keysRequired());
            case Answer.No<ActivityProgress> _ -> false;
        };
    }
}
