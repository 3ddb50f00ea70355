package lottery.saga.grant;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.Invoice;
import lottery.saga.decision.ProposedDecision;
import org.jspecify.annotations.Nullable;

/**
 * A won award that waits for an operator.
 *
 * @param since the time from which it waits
 * @param cause why it waits, as a text for people
 * @param proposed the remedy that waits for a second person
 */
public record AwardAwaitingOperator(
        AwardRecordId awardRecordId,
        UserId userId,
        ActivityId activityId,
        Invoice.InvoicedAward award,
        AwardType type,
        WaitsFor waitsFor,
        Instant since,
        String cause,
        @Nullable ProposedDecision proposed) {

    /** The kind of decision that the award waits for. */
    public enum WaitsFor {
        /** A release. */
        RELEASE,
        /** A decision how to hand the award over or to compensate it. */
        PERSON
    }

    public AwardAwaitingOperator with(@Nullable ProposedDecision waiting) {
        return new AwardAwaitingOperator(
                awardRecordId, userId, activityId, award, type, waitsFor, since, cause, waiting);
    }
}
