package lottery.award;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand.FailDispatch;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardState;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import org.jspecify.annotations.Nullable;

/**
 * How far a won award is, and what can still happen to it.
 *
 * @param released whether an operator has let it go
 * @param address where to, once the winner has said so
 * @param attempts how many times its invoice could not be sent
 * @param rejected whether fulfilment has said no
 */
record Grant(
        AwardWon won,
        AwardState state,
        boolean released,
        @Nullable Address address,
        int attempts,
        boolean rejected) {

    static Grant after(@Nullable Grant before, AwardEvent event) {
        if (event instanceof AwardWon won) {
            return new Grant(won, AwardState.WON, false, null, 0, false);
        }
        if (before == null) {
            throw new IllegalStateException(event.awardRecordId() + " goes on before it was won");
        }
        return before.evolve(event);
    }

    private Grant evolve(AwardEvent event) {
        return switch (event) {
            case AwardWon _ -> this;
            case AwardReleased _ -> new Grant(won, state, true, address, attempts, rejected);
            case AwardClaimed claimed -> new Grant(won, state, released, claimed.address(), attempts, rejected);
            case AwardForfeited _ -> in(AwardState.FORFEITED);
            case AwardDispatched _ -> in(AwardState.DISPATCHED);
            case AwardDispatchFailed failed ->
                new Grant(won, AwardState.DISPATCH_FAILED, released, address, failed.attempt(), rejected);
            case AwardGranted _ -> in(AwardState.GRANTED);
            case AwardGrantRejected _ -> new Grant(won, AwardState.REJECTED, released, address, attempts, true);
            case AwardCompensated _ -> in(AwardState.COMPENSATED);
            case AwardLeftToDesk _ -> in(AwardState.ON_DESK);
        };
    }

    private Grant in(AwardState next) {
        return new Grant(won, next, released, address, attempts, rejected);
    }

    /** Says whether that is news. */
    Answer<Boolean> release() {
        if (won.grant().timing() != Timing.MANUAL) {
            return refused("it does not wait for a release");
        }
        return released || state == AwardState.WON ? Answer.done(!released) : refused(state.name());
    }

    /** Where to cannot be changed: it may be on its way. */
    Answer<Boolean> claim(Address to) {
        if (won.award().type() != AwardType.PHYSICAL) {
            return refused("it is not sent anywhere");
        }
        if (address != null) {
            return address.equals(to) ? Answer.done(false) : refused("it has an address already");
        }
        return state == AwardState.WON ? Answer.done(true) : refused(state.name());
    }

    private Answer<Boolean> refused(String why) {
        return Answer.no(new Refused(Refusal.AWARD_STATE, won.awardRecordId() + ", " + why));
    }

    /** Nobody has said where to. */
    boolean isUnclaimed() {
        return won.award().type() == AwardType.PHYSICAL && address == null && state == AwardState.WON;
    }

    /** An answer may overtake the note that the invoice was sent. */
    boolean isOnItsWay() {
        return switch (state) {
            case WON, DISPATCHED, DISPATCH_FAILED -> true;
            case GRANTED, REJECTED, COMPENSATED, ON_DESK, FORFEITED -> false;
        };
    }

    boolean isNews(FailDispatch failed) {
        return isOnItsWay() && state != AwardState.DISPATCHED && failed.attempt() > attempts;
    }

    /** Nobody was asked to hand it over yet: it waits for an operator, or for an address. */
    boolean isHeldBack() {
        return state == AwardState.WON
                && ((won.grant().timing() == Timing.MANUAL && !released)
                        || (won.award().type() == AwardType.PHYSICAL && address == null));
    }

    /** Also on the desk: an answer that comes late, or an operator who has handed it over. */
    boolean canBeGranted() {
        return isOnItsWay() || state == AwardState.ON_DESK;
    }

    /** Once: who has said no before says nothing new, whatever was done about it. */
    boolean canBeRejected() {
        return (isOnItsWay() || state == AwardState.ON_DESK) && !rejected;
    }

    /** What was rejected is made good for, where that is to happen by itself. */
    boolean canBeLeft() {
        return isOnItsWay() || (state == AwardState.REJECTED && won.onFailure() == Remedy.MANUAL);
    }

    boolean canBeCompensated() {
        return state == AwardState.REJECTED || state == AwardState.ON_DESK;
    }
}
