package lottery.api.payment;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.payment.PaymentProgress.TakenTrade;
import org.jspecify.annotations.Nullable;

/**
 * A payment as it is shown.
 *
 * @param provider the provider that was asked last, or that is asked now
 * @param code the text of the QR code by which the user pays; null in a list, and if the payment does not wait any more
 * @param trades the money that was taken
 */
public record PaymentReceipt(
        PaymentId paymentId,
        PaymentState state,
        ActivityId activityId,
        UserId userId,
        SkuId sku,
        String outBusinessNo,
        RechargeId rechargeId,

        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,

        String currency,
        String provider,
        @Nullable String code,
        Instant expiresAt,
        List<ReceivedTrade> trades) {

    /**
     * Money that was taken.
     *
     * @param reason why it is given back; null if it is kept
     * @param cause why the provider has not given it back, for the desk only
     */
    public record ReceivedTrade(
            String provider,
            String tradeNo,

            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,

            String currency,
            TradeState state,
            @Nullable RefundReason reason,
            @Nullable String cause) {

        static ReceivedTrade of(TakenTrade taken, boolean isForDesk) {
            return new ReceivedTrade(
                    taken.trade().provider(),
                    taken.trade().tradeNo(),
                    taken.money().amount(),
                    taken.money().currency(),
                    taken.state(),
                    taken.reason(),
                    isForDesk ? taken.cause() : null);
        }
    }

    public PaymentReceipt {
        trades = List.copyOf(trades);
    }

    /** Returns the payment as its user sees it. */
    public static PaymentReceipt of(PaymentProgress payment) {
        return of(payment, payment.providers().getLast(), null, false);
    }

    /** Returns the payment as its user sees it, who may pay by this provider. */
    public static PaymentReceipt of(PaymentProgress payment, String provider, @Nullable String code) {
        return of(payment, provider, code, false);
    }

    /** Returns the payment as the desk sees it. */
    public static PaymentReceipt forDesk(PaymentProgress payment) {
        return of(payment, payment.providers().getLast(), null, true);
    }

    private static PaymentReceipt of(
            PaymentProgress payment, String provider, @Nullable String code, boolean isForDesk) {
        UserId userId = payment.accountId().userId();
        return new PaymentReceipt(
                payment.paymentId(),
                payment.state(),
                payment.accountId().activityId(),
                userId,
                payment.sku(),
                payment.outBusinessNo(),
                payment.paymentId().rechargeOf(userId),
                payment.price().amount(),
                payment.price().currency(),
                provider,
                code,
                payment.expiresAt(),
                payment.trades().stream()
                        .map(taken -> ReceivedTrade.of(taken, isForDesk))
                        .toList());
    }
}
