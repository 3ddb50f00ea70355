package lottery.view.reconciliation;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.LocalDate;
import lottery.api.payment.PaymentId;
import org.jspecify.annotations.Nullable;

/**
 * A difference between a statement and the trades of the lottery.
 *
 * @param day the day of the statement that has shown it first
 * @param amount what the lottery knows; null if it knows nothing
 * @param statedAmount the sum of all lines about it; null if there is none
 * @param statedCurrency the currency of the lines; null if there is none, or if they have several
 * @param paymentId the payment of the money; null if it is not known
 * @param reason why the desk has explained it; null if nobody has
 * @param explainedBy who has explained it; null if nobody has, or if callers were not authenticated
 */
record PaymentDifference(
        LocalDate day,
        String provider,
        String tradeNo,
        StatementKind kind,
        DifferenceKind difference,

        @JsonFormat(shape = JsonFormat.Shape.STRING) @Nullable
        BigDecimal amount,

        @Nullable String currency,

        @JsonFormat(shape = JsonFormat.Shape.STRING) @Nullable
        BigDecimal statedAmount,

        @Nullable String statedCurrency,
        @Nullable PaymentId paymentId,
        @Nullable String reason,
        @Nullable String explainedBy) {

    /** How the two sides differ. */
    enum DifferenceKind {
        /** The statement has money that the lottery does not know. */
        MISSING_HERE,
        /** The lottery knows money of a day whose statement was given, and no statement has it. */
        MISSING_THERE,
        /** Both sides know the money, with another amount or currency. */
        AMOUNT_DIFFERS
    }
}
