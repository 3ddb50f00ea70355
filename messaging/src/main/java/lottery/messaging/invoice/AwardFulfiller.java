package lottery.messaging.invoice;

import java.util.List;
import java.util.Set;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;

/** Hands over the awards of one type, in this process. */
public interface AwardFulfiller {

    AwardType type();

    /** Returns whether this fulfiller handles the invoice. Otherwise another system hands the award over. */
    boolean takes(Invoice invoice);

    /**
     * Hands over the awards of these invoices, and reports the results to the award records. An award is not handed
     * over if it was handed over before, or if its record does not wait for the handover any more.
     *
     * @param invoices one for each award
     * @return the awards that are now granted; a missing award has another answer, or no answer yet
     * @throws lottery.messaging.UnreadableMessageException if one of the awards can never be handed over
     * @throws RuntimeException if one of the awards cannot be handed over now. Other awards may have been handed over.
     *     The caller may repeat the call with all invoices
     */
    Set<AwardRecordId> handOver(List<Invoice> invoices);
}
