package lottery.api.award;

import java.math.BigDecimal;
import lottery.api.Command;
import lottery.api.award.AwardEvent.AwardWon;

/** The commands to a won award. Each command may come twice. The answer is the state of the record after it. */
public sealed interface AwardCommand extends Command<AwardState> {

    AwardRecordId awardRecordId();

    @Override
    default AwardRecordId target() {
        return awardRecordId();
    }

    /**
     * Creates the record of an award that an entry has won in a pool, if the entry is in another log than the pool.
     *
     * @param stock how many units of the award there are; the record takes one
     */
    record RecordPoolWin(AwardWon won, int stock) implements AwardCommand {

        @Override
        public AwardRecordId awardRecordId() {
            return won.awardRecordId();
        }
    }

    /** Lets an award that waits for an operator be handed over. */
    record ReleaseAward(AwardRecordId awardRecordId) implements AwardCommand {}

    /** Stores the address to which the award shall be sent, as the winner has given it. */
    record ClaimAward(AwardRecordId awardRecordId, Address address) implements AwardCommand {}

    /** Lets the award wait for an address again, if its address was erased and no invoice was sent. */
    record EraseAddress(AwardRecordId awardRecordId) implements AwardCommand {}

    /** Forfeits the award, because the winner has not given an address in time. */
    record ForfeitAward(AwardRecordId awardRecordId) implements AwardCommand {}

    /** Notes that the invoice of this attempt was sent, and that fulfilment has not answered it within some seconds. */
    record ConfirmDispatch(AwardRecordId awardRecordId, int attempt) implements AwardCommand {}

    /** Notes that the invoice cannot be sent. */
    record FailDispatch(AwardRecordId awardRecordId, int attempt, String reason) implements AwardCommand {}

    /** Notes that fulfilment has handed the award over. */
    record GrantAward(AwardRecordId awardRecordId, String reference) implements AwardCommand {}

    /**
     * Books the credits of the award for the winner, and grants the award. Either both are stored or neither.
     *
     * @param credits the credits that the invoice names; refused if the award is worth a different number
     */
    record GrantCredits(AwardRecordId awardRecordId, BigDecimal credits) implements AwardCommand {}

    /**
     * Takes the next code of the award's pool for the winner, and grants the award. Either both are stored or neither.
     * If no code is left, rejects the grant.
     *
     * @param pool the pool that the invoice names; refused if the award has another one
     */
    record GrantCode(AwardRecordId awardRecordId, CodePoolId pool) implements AwardCommand {

        /** Returns the reference of the answer. It never contains the code, because answers are in the event log. */
        public static String reference(AwardRecordId awardRecordId) {
            return "code:" + awardRecordId.key();
        }
    }

    /** Notes that fulfilment will not hand the award over. */
    record RejectGrant(AwardRecordId awardRecordId, String reference, String reason) implements AwardCommand {}

    /** Takes the award from its winner, after two persons have agreed on it. */
    record VoidAward(AwardRecordId awardRecordId, String reason) implements AwardCommand {}

    /** Leaves the decision about the award to an operator. */
    record LeaveToDesk(AwardRecordId awardRecordId, String reason) implements AwardCommand {}
}
