package lottery.api.award;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.person.PersonalTextOpener;
import lottery.api.raffle.Prize;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import org.jspecify.annotations.Nullable;

/** The events of a won award. */
public sealed interface AwardEvent extends EventOfUser {

    AwardRecordId awardRecordId();

    /**
     * An award was won.
     *
     * @param unitTaken whether the win has taken a unit of a limited stock
     * @param budgetShare what the win takes from the budget of the activity; null if it takes nothing
     * @param config the data for fulfilment, as the strategy had it when the award was drawn
     * @param grant when the award is handed over. For a handover at the end of the activity, it contains the time of
     *     that end
     * @param onFailure the remedy if the award cannot be handed over
     * @param insteadOf the won award that this one replaces; null if this award was drawn
     * @param grantReference the reference of the grant, if the award was granted in the same commit; null if the award
     *     still has to be handed over
     */
    @EventName("award.won")
    record AwardWon(
            AwardRecordId awardRecordId,
            ActivityId activityId,
            UserId userId,
            Prize award,
            boolean unitTaken,
            @Nullable BudgetShare budgetShare,
            Map<String, String> config,
            GrantTime grant,
            Remedy onFailure,
            @Nullable AwardRecordId insteadOf,
            Instant wonAt,
            @Nullable String grantReference)
            implements AwardEvent {

        public AwardWon {
            config = Map.copyOf(config);
        }
    }

    /** An operator lets the award be handed over. */
    @EventName("award.released")
    record AwardReleased(AwardRecordId awardRecordId, UserId userId) implements AwardEvent {}

    /**
     * The winner has given an address.
     *
     * @param sealedAddress the text of the address, sealed for the user and this award record
     */
    @EventName("award.claimed")
    record AwardClaimed(AwardRecordId awardRecordId, UserId userId, String sealedAddress) implements AwardEvent {

        /** Returns the address; empty if it was erased. */
        public Optional<Address> addressBy(PersonalTextOpener opener) {
            return opener.open(userId.value(), awardRecordId.text(), sealedAddress)
                    .map(Address::of);
        }
    }

    /** The address was erased with its person before an invoice was sent. The award waits for another address. */
    @EventName("award.address-erased")
    record AwardAddressErased(AwardRecordId awardRecordId, UserId userId) implements AwardEvent {}

    /** The winner has given no address in time. The unit of the award is free again. */
    @EventName("award.forfeited")
    record AwardForfeited(AwardRecordId awardRecordId, UserId userId, ActivityId activityId) implements AwardEvent {}

    /** The award was taken from its winner, because two persons agreed. Its unit is free again. */
    @EventName("award.voided")
    record AwardVoided(AwardRecordId awardRecordId, UserId userId, ActivityId activityId, String reason)
            implements AwardEvent {}

    @EventName("award.dispatched")
    record AwardDispatched(AwardRecordId awardRecordId, UserId userId) implements AwardEvent {}

    /**
     * The invoice of the award could not be sent.
     *
     * @param attempt the number of the attempt, counted from 1
     */
    @EventName("award.dispatch-failed")
    record AwardDispatchFailed(AwardRecordId awardRecordId, UserId userId, int attempt, String reason)
            implements AwardEvent {}

    @EventName("award.granted")
    record AwardGranted(AwardRecordId awardRecordId, UserId userId, String reference) implements AwardEvent {}

    @EventName("award.grant-rejected")
    record AwardGrantRejected(AwardRecordId awardRecordId, UserId userId, String reference, String reason)
            implements AwardEvent {}

    /**
     * The winner was compensated for the award. The unit of the award is free again.
     *
     * @param by the remedy, which is never {@link Remedy#MANUAL}
     * @param substitute the award that was won instead
     */
    @EventName("award.compensated")
    record AwardCompensated(
            AwardRecordId awardRecordId,
            UserId userId,
            Remedy by,
            @Nullable AwardRecordId substitute) implements AwardEvent {}

    /** An operator has to decide what becomes of the award. */
    @EventName("award.left-to-desk")
    record AwardLeftToDesk(AwardRecordId awardRecordId, UserId userId, String reason) implements AwardEvent {}
}
