package lottery.recharge;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.IdempotentResult;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.CompleteRecharge;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeCommand.OrderRecharge;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.entitlement.ContentId;
import lottery.api.payment.PaymentId;
import lottery.api.rebate.BehaviourId;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Recharges accounts over REST. A repeated request is recognised by its business number. */
@RestController
@Tag(name = "Recharge", description = "Chances and content that are given, sold or paid for.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class RechargeEndpoint {

    private static final String RECHARGE = "/api/v1/recharges/{rechargeId}";

    /**
     * Excludes the numbers of rebates and payments, because a recharge by hand under such a number would block the
     * rebate or the payment.
     */
    private static final String BUSINESS_NO = "(?!" + BehaviourId.PREFIX + "|" + PaymentId.BEGINNING + ")(?s:.*)";

    /** @param payLater whether the recharge waits until its payment is confirmed */
    record RechargeRequest(
            @NotNull @Positive Long sku,

            @NotBlank @Pattern(regexp = BUSINESS_NO) @Size(max = 128)
            String outBusinessNo,

            @Nullable Boolean payLater) {

        boolean waits() {
            return payLater != null && payLater;
        }
    }

    record RechargeReceipt(
            RechargeId rechargeId,
            RechargeResult.RechargeState state,
            int total,
            int month,
            int day,
            @Nullable Instant payBy,
            @Nullable ContentId entitlement) {

        static RechargeReceipt of(RechargeResult recharged) {
            return new RechargeReceipt(
                    recharged.rechargeId(),
                    recharged.state(),
                    recharged.bundle().total(),
                    recharged.bundle().month(),
                    recharged.bundle().day(),
                    recharged.payBy(),
                    recharged.entitlement());
        }
    }

    private final EndpointCommandSender commands;
    private final RechargeReader recharges;
    private final SkuSeller skuSeller;

    RechargeEndpoint(EndpointCommandSender commands, RechargeReader recharges, SkuSeller skuSeller) {
        this.commands = commands;
        this.skuSeller = skuSeller;
        this.recharges = recharges;
    }

    @Operation(summary = "Give or sell chances to a user", description = """
                    Adds the chances of a SKU to the user's account. `outBusinessNo` is the caller's own number for the
                    recharge and takes effect once: the same request again returns 200 with the same body. The same
                    number for a different recharge is refused with KEY_REUSED. A SKU with a price in credits is paid
                    for in the same commit, or refused with CREDITS_SHORT. With `payLater`, the recharge waits ten
                    minutes for its payment. A player can only buy for credits.""")
    @IdempotentCreation
    @PostMapping("/api/v1/activities/{activityId}/accounts/{userId}/recharges")
    ResponseEntity<RechargeReceipt> recharge(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @Valid @RequestBody RechargeRequest form) {
        AccountId account = new AccountId(activityId, userId);
        SkuId sku = new SkuId(form.sku());
        Command<RechargeResult> command = form.waits()
                ? new OrderRecharge(account, sku, form.outBusinessNo())
                : new RechargeAccount(account, sku, form.outBusinessNo());
        IdempotentResult<RechargeResult> recharged = commands.spend(
                        userId,
                        command,
                        // Most refusals are found before a command is sent, and then no command is needed.
                        () -> skuSeller
                                .offer(account, sku)
                                .then(offer -> isForCaller(offer, form)
                                        ? Answer.done(offer)
                                        : Answer.no(new Refused(Refusal.FORBIDDEN, sku + " without paying for it"))),
                        refused -> earlier(account, form, refused))
                .orThrow();
        RechargeReceipt receipt = RechargeReceipt.of(recharged.value());
        return recharged.isReplayed()
                ? IdempotentReplyBuilder.repeated(receipt)
                : IdempotentReplyBuilder.created(URI.create("/api/v1/recharges/" + receipt.rechargeId()), receipt);
    }

    /**
     * Returns whether this caller may request the SKU. Players may only buy SKUs for credits. All other SKUs are given
     * by a front, which acts for players.
     */
    private static boolean isForCaller(SkuOffer offer, RechargeRequest form) {
        BigDecimal price = offer.priceCredits();
        boolean isPaidHere = price != null && price.signum() > 0 && !form.waits();
        return isPaidHere
                || Actor.current().map(actor -> !actor.scope().ownOnly()).orElse(true);
    }

    /**
     * Returns the answer to an earlier request with the same business number, whatever the reason for the refusal is;
     * the refusal if there is none.
     */
    private Answer<RechargeResult> earlier(AccountId account, RechargeRequest form, Refused refused) {
        return recharges
                .first(RechargeId.of(account.userId(), form.outBusinessNo()))
                .map(made -> made.accountId().equals(account)
                                && made.sku().value() == form.sku()
                                && (made.payBy() != null) == form.waits()
                        ? Answer.done(made.told())
                        : Answer.<RechargeResult>no(new Refused(Refusal.KEY_REUSED, form.outBusinessNo())))
                .orElseGet(() -> Answer.no(refused));
    }

    @Operation(summary = "Show a recharge", description = """
                    Returns the state of a recharge: it waits for its payment, is completed, or is closed.""")
    @GetMapping(RECHARGE)
    RechargeReceipt getRecharge(@PathVariable RechargeId rechargeId) {
        return RechargeReceipt.of(find(rechargeId).told());
    }

    /** Confirms the payment of a recharge. */
    @Operation(summary = "Confirm the payment of a recharge", description = """
                    Confirms the payment of a recharge that was made with `payLater`, and adds its chances. The same
                    request again returns the same body with the header `Idempotency-Replayed`. A recharge that was not
                    paid for in time is closed, and the request is refused with RECHARGE_CLOSED.""")
    @PostMapping(RECHARGE + "/completion")
    ResponseEntity<RechargeReceipt> completeRecharge(
            @PathVariable RechargeId rechargeId,
            @RequestBody(required = false) IdempotentReplyBuilder.@Nullable EmptyRequest none) {
        RechargeProgress before = find(rechargeId);
        if (PaymentId.isId(before.outBusinessNo())) {
            throw new RefusedException(Refusal.FORBIDDEN, rechargeId.text() + " instead of " + before.outBusinessNo());
        }
        RechargeReceipt receipt = RechargeReceipt.of(commands.send(new CompleteRecharge(before.accountId(), rechargeId))
                .orThrow());
        return before.state() == RechargeResult.RechargeState.COMPLETED
                ? IdempotentReplyBuilder.repeated(receipt)
                : ResponseEntity.ok(receipt);
    }

    private RechargeProgress find(RechargeId rechargeId) {
        return recharges
                .find(rechargeId)
                .filter(recharge ->
                        Actor.mayAccessDataOf(recharge.accountId().userId().value()))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, rechargeId.text()));
    }
}
