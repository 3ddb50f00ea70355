package lottery.saga.grant;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.Invoice;

/**
 * A won award that waits for an operator.
 *
 * @param since the time from which it waits
 * @param cause why it waits, as a text for people
 */
public record AwardAwaitingOperator(
        AwardRecordId awardRecordId,
        UserId userId,
        ActivityId activityId,
        Invoice.InvoicedAward award,
        AwardType type,
        WaitsFor waitsFor,
        Instant since,
        String cause) {

    /** The kind of decision that the award waits for. */
    public enum WaitsFor {
        /** A release. */
        RELEASE,
        /** A decision how to hand the award over or to compensate it. */
        PERSON
    }
}
