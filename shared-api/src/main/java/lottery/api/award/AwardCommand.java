package lottery.api.award;

import java.math.BigDecimal;
import lottery.api.Command;

/** What is asked of a won award; each may come twice, and answers with the state that the record then is in. */
public sealed interface AwardCommand extends Command<AwardState> {

    AwardRecordId awardRecordId();

    @Override
    default AwardRecordId target() {
        return awardRecordId();
    }

    /** An operator lets it be handed over, where it waits for that. */
    record ReleaseAward(AwardRecordId awardRecordId) implements AwardCommand {}

    /** The winner says where to. */
    record ClaimAward(AwardRecordId awardRecordId, Address address) implements AwardCommand {}

    /** Nobody has said where to in time. */
    record ForfeitAward(AwardRecordId awardRecordId) implements AwardCommand {}

    /** The invoice of this attempt was sent, and fulfilment has not answered it within some seconds. */
    record ConfirmDispatch(AwardRecordId awardRecordId, int attempt) implements AwardCommand {}

    /** The invoice cannot be sent. */
    record FailDispatch(AwardRecordId awardRecordId, int attempt, String reason) implements AwardCommand {}

    /** Fulfilment has handed the award over. */
    record GrantAward(AwardRecordId awardRecordId, String reference) implements AwardCommand {}

    /** The award is so many credits: they are booked for the winner, and it is granted, both or neither. */
    record GrantCredits(AwardRecordId awardRecordId, BigDecimal credits) implements AwardCommand {}

    /** Fulfilment will not hand it over. */
    record RejectGrant(AwardRecordId awardRecordId, String reference, String reason) implements AwardCommand {}

    /** Nobody knows how to go on. */
    record LeaveToDesk(AwardRecordId awardRecordId, String reason) implements AwardCommand {}
}
