package lottery.api.award;

import lottery.api.Command;

/** What is asked of a won award; each may come twice, and answers with the state that the record then is in. */
public sealed interface AwardCommand extends Command<AwardState> {

    AwardRecordId awardRecordId();

    @Override
    default AwardRecordId target() {
        return awardRecordId();
    }

    /** The invoice is with the broker. */
    record ConfirmDispatch(AwardRecordId awardRecordId) implements AwardCommand {}

    /** Fulfilment has handed the award over. */
    record GrantAward(AwardRecordId awardRecordId, String reference) implements AwardCommand {}

    /** Fulfilment will not hand it over. */
    record RejectGrant(AwardRecordId awardRecordId, String reference, String reason) implements AwardCommand {}
}
