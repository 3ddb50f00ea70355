package lottery.api.activity;

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
import org.jspecify.annotations.Nullable;

/**
 * The version of an activity's strategy that somebody has approved, and that the activity draws by.
 *
 * @param hash the SHA-256 of the version's definition, in hex
 */
public record ApprovedStrategy(int version, String hash) {

    /**
     * Returns the approved version after one more event of the activity; null if the activity is not passed. An
     * activity that is not passed is never started.
     */
    public static @Nullable ApprovedStrategy after(@Nullable ApprovedStrategy before, ActivityEvent event) {
        return switch (event) {
            case ActivityPassed passed -> passed.approved();
            case StrategyAdopted adopted -> adopted.approved();
            case ActivityCreated _, ActivityEdited _, ActivityRevoked _, ActivityRefused _ -> null;
            case ActivitySubmitted _,
                    ActivityStarted _,
                    ActivityPaused _,
                    ActivityResumed _,
                    AwardHeld _,
                    HeldAwardReleased _,
                    ActivityClosed _,
                    ActivityOpened _,
                    SeedPublished _ -> before;
        };
    }
}
