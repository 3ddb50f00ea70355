package lottery.messaging.invoice;

import java.util.List;
import java.util.Set;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;

/** Hands over the awards of one type, in this process. */
public interface AwardFulfiller {

    AwardType type();

    /** Returns whether this fulfiller is for the invoice; otherwise another system hands the award over. */
    boolean takes(Invoice invoice);

    /**
     * Hands over the awards of these invoices, and reports the results to the award records. An award that was handed
     * over before, or is no longer awaited, is not handed over again.
     *
     * @param invoices one for each award
     * @return the awards that are granted now; an award that is missing has another answer, or none yet
     * @throws lottery.messaging.UnreadableMessage if one of them can never be handed over
     * @throws RuntimeException if one of them cannot be handed over now. Others may have been handed over. The caller
     *     may ask for all of them again
     */
    Set<AwardRecordId> handOver(List<Invoice> invoices);
}
