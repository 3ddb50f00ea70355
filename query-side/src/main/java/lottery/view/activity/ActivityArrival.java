package lottery.view.activity;

import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityState;

/** Determines the state of an activity after an event. */
final class ActivityArrival {

    private ActivityArrival() {}

    static ActivityState after(ActivityEvent event, ActivityState before) {
        return switch (event) {
            case ActivityCreated _, ActivityEdited _, ActivityRevoked _ -> ActivityState.EDIT;
            case ActivitySubmitted _ -> ActivityState.ARRAIGNED;
            case ActivityPassed _ -> ActivityState.PASSED;
            case ActivityRefused _ -> ActivityState.REFUSED;
            case ActivityStarted _ -> ActivityState.DOING;
            case ActivityClosed _ -> ActivityState.CLOSED;
            case ActivityOpened _ -> ActivityState.OPENED;
            case StrategyAdopted _, SeedPublished _ -> before;
        };
    }
}
