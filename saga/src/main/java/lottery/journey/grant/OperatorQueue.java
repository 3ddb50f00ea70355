package lottery.journey.grant;

import java.time.Instant;
import lottery.api.award.AwardRecordId;
import lottery.messaging.invoice.Invoice;

/**
 * Is told by journeys which awards wait for an operator, in the transaction in which these move. It may be told twice,
 * and told that a wait is over that it does not know of.
 */
interface OperatorQueue {

    /**
     * Notes that one waits.
     *
     * @param cause why, for people; a further one is added to those before
     */
    void note(Invoice invoice, WaitingAward.WaitsFor what, Instant now, String cause);

    void over(AwardRecordId id);
}
