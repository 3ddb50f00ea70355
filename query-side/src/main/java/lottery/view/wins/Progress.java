package lottery.view.wins;

import java.util.Optional;
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

/** How far an award is on its way. What can happen to it, and when, was decided before it was written down. */
final class Progress {

    private Progress() {}

    /** The state that it is in from this event on. None: it stays where it is, and its history has no step for it. */
    static Optional<AwardState> after(AwardEvent event) {
        return switch (event) {
            case AwardWon _ -> Optional.of(AwardState.WON);
            case AwardReleased _, AwardClaimed _ -> Optional.empty();
            case AwardForfeited _ -> Optional.of(AwardState.FORFEITED);
            case AwardDispatched _ -> Optional.of(AwardState.DISPATCHED);
            case AwardDispatchFailed _ -> Optional.of(AwardState.DISPATCH_FAILED);
            case AwardGranted _ -> Optional.of(AwardState.GRANTED);
            case AwardGrantRejected _ -> Optional.of(AwardState.REJECTED);
            case AwardCompensated _ -> Optional.of(AwardState.COMPENSATED);
            case AwardLeftToDesk _ -> Optional.of(AwardState.ON_DESK);
        };
    }
}
