package lottery.api.award;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.FailDispatch;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.person.PersonalTextOpener;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a won award, folded from its events. Its methods say what can still happen to the award.
 *
 * @param released whether an operator has released the award for its handover
 * @param claim the claim of the winner, if there is an address
 * @param attempts how many times its invoice could not be sent
 * @param rejected whether fulfilment has rejected the award
 */
public record AwardProgress(
        AwardWon won,
        AwardState state,
        boolean released,
        @Nullable AwardClaimed claim,
        int attempts,
        boolean rejected) {

    /** How much two processes may differ about the time of PostgreSQL, which each of them measures. */
    private static final Duration CLOCK_ERROR_MAX = Duration.ofSeconds(1);

    /** Returns the progress after one more event. The first event is the win. */
    public static AwardProgress after(@Nullable AwardProgress before, AwardEvent event) {
        if (event instanceof AwardWon won) {
            return new AwardProgress(won, firstState(won), false, null, 0, false);
        }
        if (before == null) {
            throw new IllegalStateException(event.awardRecordId() + " goes on before it was won");
        }
        return before.evolve(event);
    }

    /** Returns the state to which an event leads; empty if the award stays in its state. */
    public static Optional<AwardState> stateAfter(AwardEvent event) {
        return switch (event) {
            case AwardWon won -> Optional.of(firstState(won));
            case AwardReleased _, AwardClaimed _ -> Optional.empty();
            case AwardAddressErased _ -> Optional.of(AwardState.WON);
            case AwardForfeited _ -> Optional.of(AwardState.FORFEITED);
            case AwardVoided _ -> Optional.of(AwardState.VOIDED);
            case AwardDispatched _ -> Optional.of(AwardState.DISPATCHED);
            case AwardDispatchFailed _ -> Optional.of(AwardState.DISPATCH_FAILED);
            case AwardGranted _ -> Optional.of(AwardState.GRANTED);
            case AwardGrantRejected _ -> Optional.of(AwardState.REJECTED);
            case AwardCompensated _ -> Optional.of(AwardState.COMPENSATED);
            case AwardLeftToDesk _ -> Optional.of(AwardState.ON_DESK);
        };
    }

    private static AwardState firstState(AwardWon won) {
        return won.grantReference() == null ? AwardState.WON : AwardState.GRANTED;
    }

    private AwardProgress evolve(AwardEvent event) {
        AwardState next = stateAfter(event).orElse(state);
        return switch (event) {
            case AwardReleased _ -> new AwardProgress(won, next, true, claim, attempts, rejected);
            case AwardClaimed claimed -> new AwardProgress(won, next, released, claimed, attempts, rejected);
            case AwardAddressErased _ -> new AwardProgress(won, next, released, null, attempts, rejected);
            case AwardDispatchFailed failed ->
                new AwardProgress(won, next, released, claim, failed.attempt(), rejected);
            case AwardGrantRejected _ -> new AwardProgress(won, next, released, claim, attempts, true);
            case AwardWon _,
                    AwardForfeited _,
                    AwardVoided _,
                    AwardDispatched _,
                    AwardGranted _,
                    AwardCompensated _,
                    AwardLeftToDesk _ -> new AwardProgress(won, next, released, claim, attempts, rejected);
        };
    }

    /** Returns whether a release changes anything, or a refusal if the award cannot be released. */
    public Answer<Boolean> release() {
        if (won.grant().timing() != Timing.MANUAL) {
            return refused("it does not wait for a release");
        }
        return released || state == AwardState.WON ? Answer.done(!released) : refused(state.name());
    }

    /**
     * Returns whether this address changes anything, or a refusal if it cannot be stored. A stored address cannot be
     * replaced, because the award may be on its way to it. An erased address counts as no address.
     */
    public Answer<Boolean> claim(Address to, PersonalTextOpener opener) {
        if (!won.award().type().isParcel()) {
            return refused("it is not sent anywhere");
        }
        Optional<String> before =
                claim == null ? Optional.empty() : claim.addressBy(opener).map(Address::text);
        return before.map(text -> text.equals(to.text())
                        ? Answer.done(false)
                        : this.<Boolean>refused("it has an address already"))
                .orElseGet(() -> state == AwardState.WON ? Answer.done(true) : refused(state.name()));
    }

    /**
     * Returns whether the award has to be claimed again, because its address was erased before an invoice was sent.
     * After an invoice was sent, the parcel may be on its way to that address.
     */
    public boolean hasLostAddress(PersonalTextOpener opener) {
        return state == AwardState.WON
                && claim != null
                && claim.addressBy(opener).isEmpty();
    }

    private <R> Answer<R> refused(String why) {
        return Answer.no(new Refused(Refusal.AWARD_STATE, won.awardRecordId() + ", " + why));
    }

    private boolean isWithoutAddress() {
        return won.award().type().isParcel() && claim == null;
    }

    /** Returns whether the winner still has to give an address. */
    public boolean isUnclaimed() {
        return isWithoutAddress() && state == AwardState.WON;
    }

    /**
     * Returns whether the award may be on its way. This includes the state WON, because an answer may come before the
     * record knows that the invoice was sent.
     */
    public boolean isOnItsWay() {
        return switch (state) {
            case WON, DISPATCHED, DISPATCH_FAILED -> true;
            case GRANTED, REJECTED, COMPENSATED, ON_DESK, FORFEITED, VOIDED -> false;
        };
    }

    /**
     * Returns whether the confirmation of a dispatch changes anything. If the record already knows that the invoice of
     * an attempt was not sent, a later confirmation of the same attempt does not count.
     */
    public boolean isNews(ConfirmDispatch confirmed) {
        return awaitsNewsOf(confirmed.attempt());
    }

    public boolean isNews(FailDispatch failed) {
        return awaitsNewsOf(failed.attempt());
    }

    private boolean awaitsNewsOf(int attempt) {
        return isOnItsWay() && state != AwardState.DISPATCHED && attempt > attempts;
    }

    /**
     * Returns whether no invoice can have been sent yet, because the award waits for its time, an operator or an
     * address. Because processes differ a little about the time, an award no longer counts as held back one second
     * before its time.
     */
    public boolean isHeldBack(Instant now) {
        Instant at = won.grant().at();
        return state == AwardState.WON
                && ((at != null && now.plus(CLOCK_ERROR_MAX).isBefore(at))
                        || (won.grant().timing() == Timing.MANUAL && !released)
                        || isWithoutAddress());
    }

    /**
     * Returns whether a rejection would change anything. Only the first rejection does, whatever was decided after it.
     */
    public boolean canBeRejected() {
        return state.isAwaited() && !rejected;
    }

    /**
     * Returns whether the award can be left to an operator. If it was rejected, this is possible only if its remedy is
     * {@link Remedy#MANUAL}, because the other remedies happen by themselves.
     */
    public boolean canBeLeft() {
        return isOnItsWay() || (state == AwardState.REJECTED && won.onFailure() == Remedy.MANUAL);
    }

    /**
     * Returns whether the award can be taken from its winner: it is held back or rejected, or waits at the desk. At the
     * desk, an invoice that nobody has answered may still be answered. The two persons of the desk decide about that.
     */
    public boolean canBeVoided(Instant now) {
        return isHeldBack(now) || canBeCompensated();
    }

    public boolean canBeCompensated() {
        return state == AwardState.REJECTED || state == AwardState.ON_DESK;
    }

    /** Returns whether fulfilment was asked to hand the award over, has not done so, and can be asked again. */
    public boolean canBeAskedAgain() {
        return state.isAwaited() && state != AwardState.WON && !isWithoutAddress();
    }
}
