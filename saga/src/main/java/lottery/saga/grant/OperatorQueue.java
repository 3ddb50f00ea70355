package lottery.saga.grant;

import java.time.Instant;
import lottery.api.award.AwardRecordId;
import lottery.messaging.invoice.Invoice;

/**
 * Records which awards wait for an operator, in the transaction of their sagas. Calls may be repeated. The end of a
 * wait may be recorded even if the wait is unknown.
 */
interface OperatorQueue {

    /**
     * Records that an award waits.
     *
     * @param cause why it waits, as a text for people; it is added to earlier causes
     */
    void note(Invoice invoice, AwardAwaitingOperator.WaitsFor what, Instant now, String cause);

    void remove(AwardRecordId id);
}
