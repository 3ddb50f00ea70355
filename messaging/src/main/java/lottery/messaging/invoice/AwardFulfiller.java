package lottery.messaging.invoice;

import java.util.List;
import java.util.Set;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;

/** Hands the awards of one type over, in this process. */
public interface AwardFulfiller {

    AwardType type();

    /** Whether this one is for it; if not, it is somebody else's to hand over. */
    boolean takes(Invoice invoice);

    /**
     * Hands over what these invoices ask for, and tells the award records. An award that was handed over before, or is
     * not awaited any more, is not handed over again.
     *
     * @param invoices one for each award
     * @return the awards that are granted now; the others have another answer, or none yet
     * @throws lottery.messaging.UnreadableMessage if one of them can never be handed over
     * @throws RuntimeException if one of them cannot be handed over now; of the others some may have been, and all of
     *     them may be asked for again
     */
    Set<AwardRecordId> handOver(List<Invoice> invoices);
}
