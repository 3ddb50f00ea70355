package lottery.rebate;

import java.math.BigDecimal;
import java.util.Objects;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeResult;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.credit.CreditBookingResult;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateProgress;
import lottery.credit.CreditBooker;
import lottery.recharge.RebateRecharger;
import org.springframework.stereotype.Component;

/** Recharges a SKU or books credits for a rebate, in the current unit of work and once per business number. */
@Component
class RebateBooker {

    private static final String REASON = "A rebate";

    private final RebateRecharger recharges;
    private final CreditBooker credits;

    RebateBooker(RebateRecharger recharges, CreditBooker credits) {
        this.recharges = recharges;
        this.credits = credits;
    }

    /** The outcome of an attempt. */
    sealed interface RebateOutcome {}

    /** @param reference the id of the recharge, or the booking in the credit account */
    record RebateBooked(String reference) implements RebateOutcome {}

    /** @param reason the code of the refusal */
    record RebateNotBooked(String reason) implements RebateOutcome {}

    /**
     * Gives a rebate, or returns why it is refused.
     *
     * @throws RefusedException if the rebate is refused only for now and has to be tried again
     */
    RebateOutcome give(UserId user, Rebate rebate, String businessNo) {
        return switch (rebate.kind()) {
            case SKU -> {
                AccountId account = new AccountId(Objects.requireNonNull(rebate.activityId()), user);
                SkuId sku = Objects.requireNonNull(rebate.sku());
                yield switch (recharges.offer(account, sku)) {
                    case Answer.No<SkuOffer>(Refused refused) -> notGiven(refused);
                    case Answer.Done<SkuOffer>(SkuOffer offer)
                    when offer.hasPrice() -> new RebateNotBooked(RebateProgress.SKU_PRICED);
                    case Answer.Done<SkuOffer> _ -> recharged(account, sku, businessNo);
                };
            }
            case CREDIT -> {
                BigDecimal amount = Objects.requireNonNull(rebate.amount());
                yield switch (credits.book(new BookCredits(user, amount, businessNo, REASON))) {
                    case Answer.Done<CreditBookingResult>(CreditBookingResult booked) ->
                        new RebateBooked(booked.reference(user));
                    case Answer.No<CreditBookingResult>(Refused refused) -> notGiven(refused);
                };
            }
        };
    }

    private RebateOutcome recharged(AccountId account, SkuId sku, String businessNo) {
        return switch (recharges.recharge(account, sku, businessNo)) {
            case Answer.Done<RechargeResult>(RechargeResult recharged) ->
                new RebateBooked(recharged.rechargeId().text());
            case Answer.No<RechargeResult>(Refused refused) -> notGiven(refused);
        };
    }

    private static RebateNotBooked notGiven(Refused refused) {
        return switch (refused.why()) {
            case BUSY, NOT_READY, RATE_LIMITED -> throw new RefusedException(refused);
            default -> new RebateNotBooked(refused.why().name());
        };
    }
}
