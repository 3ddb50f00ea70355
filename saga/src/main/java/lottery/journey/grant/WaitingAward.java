package lottery.journey.grant;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.Invoice;

/**
 * A won award that does not go on without an operator.
 *
 * @param since when its journey came to where it waits
 * @param cause why, for people
 */
public record WaitingAward(
        AwardRecordId awardRecordId,
        UserId userId,
        ActivityId activityId,
        Invoice.InvoicedAward award,
        AwardType type,
        WaitsFor waitsFor,
        Instant since,
        String cause) {

    /** What it waits for. */
    public enum WaitsFor {
        /** To be let go. */
        RELEASE,
        /** To be handed over by hand, or to be made good for: somebody has to decide. */
        PERSON
    }
}
