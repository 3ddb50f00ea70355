package lottery.view.wins;

import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardState;

/** How far an award is on its way. */
record Progress(AwardState state) {

    /** The state that an event tells of, taken by itself. */
    static AwardState of(AwardEvent event) {
        return switch (event) {
            case AwardWon _ -> AwardState.WON;
            case AwardDispatched _ -> AwardState.DISPATCHED;
            case AwardGranted _ -> AwardState.GRANTED;
            case AwardGrantRejected _ -> AwardState.REJECTED;
        };
    }

    /**
     * Fulfilment may answer before it was noted that the invoice is on its way. What is noted late belongs to the
     * history, but an award that has arrived does not set out again.
     */
    Progress after(AwardEvent event) {
        AwardState noted = of(event);
        return switch (state) {
            case WON -> new Progress(noted);
            case DISPATCHED -> noted == AwardState.WON ? this : new Progress(noted);
            case GRANTED, REJECTED -> this;
        };
    }
}
