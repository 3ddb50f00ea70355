package lottery.raffle;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.time.InstantSource;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.IdempotentResult;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.account.AccountCommand.DrawRaffleOrder;
import lottery.api.account.AccountId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows, draws and cancels raffle orders over REST. */
@RestController
@Tag(name = "Order", description = "Orders that have spent a chance: read, draw or cancel them.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class ExistingRaffleOrderEndpoint {

    private static final String ORDER = "/api/v1/raffle-orders/{orderId}";

    private final EndpointCommandSender commands;
    private final RaffleOrderFacade orders;
    private final RaffleOrderLookup lookup;
    private final RepeatedRequestAnswerer repeatedRequests;
    private final DrawMeters drawMeters;
    private final InstantSource clock;
    private final RandomGenerator random;

    ExistingRaffleOrderEndpoint(
            EndpointCommandSender commands,
            RaffleOrderFacade orders,
            RaffleOrderLookup lookup,
            RepeatedRequestAnswerer repeatedRequests,
            DrawMeters drawMeters,
            InstantSource clock,
            RandomGenerator random) {
        this.commands = commands;
        this.orders = orders;
        this.lookup = lookup;
        this.repeatedRequests = repeatedRequests;
        this.drawMeters = drawMeters;
        this.clock = clock;
        this.random = random;
    }

    @Operation(summary = "Show a raffle order", description = """
                    Returns an order, and its result after the draw. An order in the queue has the state QUEUED, with
                    its position and the expected wait. Later it is USED, or it is REFUSED, and `refusal` gives the
                    reason. An order outside the queue is read from the event log, so it is always up to date. Orders of
                    the queue are drawn in groups, so an order may still be shown as QUEUED until its whole group is
                    drawn.""")
    @GetMapping(ORDER)
    RaffleOrderDetails getRaffleOrder(@PathVariable RaffleOrderId orderId, Locale locale) {
        return lookup.find(orderId, locale);
    }

    @Operation(summary = "Draw an open order", description = """
                    Draws an order and returns the result. An order is drawn once. A request that is repeated with the
                    same `Idempotency-Key` returns the same response; any other request for this order is refused with
                    ORDER_USED or ORDER_CANCELLED.""")
    @IdempotentCreation
    @PostMapping(ORDER + "/draw")
    ResponseEntity<DrawResult> drawRaffleOrder(
            @PathVariable RaffleOrderId orderId,
            @RequestHeader(name = IdempotentReplyBuilder.KEY_HEADER, required = false)
                    @Nullable
                    @Pattern(regexp = IdempotentReplyBuilder.KEY)
                    String key,
            @RequestBody(required = false) IdempotentReplyBuilder.@Nullable EmptyRequest none) {
        // The rate comes first, because nobody knows yet whose order it is, and a guessed id costs a read, too.
        commands.requireRate(orderId, 1);
        AccountId account = accountOf(orderId);
        commands.requireNotBanned(account.userId());
        RaffleRequestIdentity request = request(account, key);
        IdempotentResult<DrawRequestResult> drawn = commands.sendAfterRate(
                        new DrawRaffleOrder(account, orderId, request),
                        () -> Answer.done(orderId),
                        refused -> repeatedRequests.draw(request, orderId, refused))
                .orThrow();
        if (!drawn.isReplayed()) {
            drawMeters.add(account, drawn.value());
        }
        return IdempotentReplyBuilder.of(drawn, draws -> draws.draws().getFirst());
    }

    @Operation(summary = "Cancel an open order", description = """
                    Cancels an order that is not drawn yet, and returns its chance to the user. A request that is
                    repeated with the same `Idempotency-Key` returns the same response. An order that is already drawn
                    is refused with ORDER_USED. A cancellation counts against the rate of its player, like a draw.""")
    @PostMapping(ORDER + "/cancellation")
    ResponseEntity<RaffleOrderReply> cancelRaffleOrder(
            @PathVariable RaffleOrderId orderId,
            @RequestHeader(name = IdempotentReplyBuilder.KEY_HEADER, required = false)
                    @Nullable
                    @Pattern(regexp = IdempotentReplyBuilder.KEY)
                    String key,
            @RequestBody(required = false) IdempotentReplyBuilder.@Nullable EmptyRequest none) {
        // As for a draw, the rate comes first. A banned user may cancel, because this only gives a chance back.
        commands.requireRate(orderId, 1);
        AccountId account = accountOf(orderId);
        RaffleRequestIdentity request = request(account, key);
        IdempotentResult<RaffleOrderId> cancelled = commands.sendAfterRate(
                        new CancelRaffleOrder(account, orderId, request),
                        () -> Answer.done(orderId),
                        refused -> repeatedRequests.cancelled(request, orderId, refused))
                .orThrow();
        RaffleOrderReply reply = RaffleOrderReply.cancelled(cancelled.value());
        return cancelled.isReplayed() ? IdempotentReplyBuilder.repeated(reply) : ResponseEntity.ok(reply);
    }

    /** Returns whose order it is. An order that was refused in the queue counts as missing. */
    private AccountId accountOf(RaffleOrderId orderId) {
        return orders.find(orderId)
                .filter(order -> order.state() != RaffleOrderState.REFUSED
                        && Actor.mayAccessDataOf(order.accountId().userId().value()))
                .map(RaffleOrderProgress::accountId)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, orderId.text()));
    }

    private RaffleRequestIdentity request(AccountId account, @Nullable String key) {
        return key == null
                ? RaffleRequestIdentity.fresh(account, clock.instant(), random)
                : RaffleRequestIdentity.of(account, key);
    }
}
