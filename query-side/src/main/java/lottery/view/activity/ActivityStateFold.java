package lottery.view.activity;

import java.util.SortedSet;
import java.util.TreeSet;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityResumed;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityEvent.HeldAwardReleased;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityState;

/** Determines the state of an activity, and its held awards, after an event. */
final class ActivityStateFold {

    private ActivityStateFold() {}

    /** Returns the awards that are held after an event. */
    static SortedSet<Integer> heldAfter(ActivityEvent event, SortedSet<Integer> before) {
        SortedSet<Integer> held = new TreeSet<>(before);
        switch (event) {
            case AwardHeld now -> held.add(now.awardId());
            case HeldAwardReleased now -> held.remove(now.awardId());
            case ActivityEvent _ -> {
                // The other events change no holds.
            }
        }
        return held;
    }

    static ActivityState after(ActivityEvent event, ActivityState before) {
        return switch (event) {
            case ActivityCreated _, ActivityEdited _, ActivityRevoked _ -> ActivityState.EDIT;
            case ActivitySubmitted _ -> ActivityState.ARRAIGNED;
            case ActivityPassed _ -> ActivityState.PASSED;
            case ActivityRefused _ -> ActivityState.REFUSED;
            case ActivityStarted _, ActivityResumed _ -> ActivityState.DOING;
            case ActivityPaused _ -> ActivityState.PAUSED;
            case ActivityClosed _ -> ActivityState.CLOSED;
            case ActivityOpened _ -> ActivityState.OPENED;
            case StrategyAdopted _, SeedPublished _, AwardHeld _, HeldAwardReleased _ -> before;
        };
    }
}
