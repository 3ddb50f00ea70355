package lottery.recharge;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.Duration;
import java.time.InstantSource;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeCommand.OrderRecharge;
import lottery.api.account.RechargeCommand.ReserveRecharge;
import lottery.api.account.RechargeCommand.RevokeEntitlement;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeResult;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.entitlement.ContentId;
import lottery.entitlement.EntitlementGranter;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One recharge. Its id follows from the user and the business number, and can be used once, so that a business number
 * gives its chances once. A recharge that is paid at once is already completed when it is created, in the unit of work
 * of the account. A recharge that is paid later waits in this aggregate for its payment.
 */
@Aggregate(type = "recharge", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class RechargeOrder {

    /** How long a recharge waits for its payment. It keeps its unit of the SKU during this time. */
    private static final Duration PAYMENT_WAIT = Duration.ofMinutes(10);

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable RechargeProgress rechargeProgress;

    RechargeOrder() {}

    RechargeOrder(RechargeCompleted completed) {
        apply(completed);
    }

    /** Throws a refusal, because a refused recharge must not be created. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    Answer<RechargeResult> handle(OrderRecharge order, SkuSeller skuSeller, InstantSource clock) {
        RechargeProgress taken = skuSeller
                .keep(order.accountId(), order.sku(), order.outBusinessNo())
                .orThrow();
        apply(taken.ordered(clock.instant().plus(PAYMENT_WAIT)));
        return Answer.done(recharge().told());
    }

    /** Throws a refusal, because a refused recharge must not be created. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    Answer<RechargeResult> handle(ReserveRecharge reserve, SkuSeller skuSeller) {
        RechargeProgress taken = skuSeller
                .reserve(reserve.accountId(), reserve.sku(), reserve.outBusinessNo())
                .orThrow();
        apply(taken.ordered(reserve.payBy()));
        return Answer.done(recharge().told());
    }

    /** Closes a recharge that waits for its payment. A completed or closed recharge stays as it is. */
    @CommandHandler
    Answer<RechargeResult> handle(CloseRecharge close, SkuSeller skuSeller) {
        if (recharge().state() == RechargeState.WAITING) {
            skuSeller.putBack(recharge());
            apply(recharge().closed());
        }
        return Answer.done(recharge().told());
    }

    /** Takes the content of a completed recharge back. The same command again changes nothing. */
    @CommandHandler
    Answer<RechargeResult> handle(RevokeEntitlement revoke, EntitlementGranter entitlements) {
        ContentId content = recharge().entitlement();
        if (recharge().state() == RechargeState.COMPLETED && content != null) {
            entitlements.revoke(
                    recharge().accountId().userId(),
                    content,
                    revoke.rechargeId().text());
        }
        return Answer.done(recharge().told());
    }

    /**
     * Completes the recharge, and returns its previous state. The account adds the chances in the same unit of work.
     */
    Answer<RechargeProgress> complete() {
        RechargeProgress before = recharge();
        return switch (before.state()) {
            case WAITING -> {
                apply(before.completed());
                yield Answer.done(before);
            }
            case COMPLETED -> Answer.done(before);
            case CLOSED ->
                Answer.no(
                        new Refused(Refusal.RECHARGE_CLOSED, before.rechargeId().text()));
        };
    }

    @EventSourcingHandler
    void on(RechargeEvent event) {
        id = event.rechargeId().text();
        rechargeProgress = RechargeProgress.after(rechargeProgress, event);
    }

    private RechargeProgress recharge() {
        if (rechargeProgress == null) {
            throw new IllegalStateException("a recharge begins with its order or its completion");
        }
        return rechargeProgress;
    }
}
