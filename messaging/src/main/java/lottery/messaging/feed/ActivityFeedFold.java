package lottery.messaging.feed;

import java.util.List;
import java.util.Optional;
import lottery.api.activity.ActivityDefinition;
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
import lottery.api.activity.ApprovedStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A round of an activity, from its start to its close, with the activity's definition at the start.
 *
 * @param approved the version of the strategy that decides the draws of the round now
 */
record ActivityFeedFold(ActivityStarted start, ActivityDefinition activity, ApprovedStrategy approved) {

    static ActivityFeedFold of(ActivityStarted start, List<? extends ActivityEvent> before) {
        ActivityDefinition activity = null;
        ApprovedStrategy approved = null;
        for (ActivityEvent event : before) {
            activity = described(event, activity);
            approved = ApprovedStrategy.after(approved, event);
        }
        if (activity == null || approved == null) {
            throw new IllegalArgumentException(start.activityId() + " has started without having been passed");
        }
        return new ActivityFeedFold(start, activity, approved);
    }

    /**
     * Returns the round that is running; empty if the activity was never started, or was closed already. Readers of the
     * feed get no message about a close without a round.
     */
    static Optional<ActivityFeedFold> running(List<? extends ActivityEvent> before) {
        ActivityStarted start = null;
        for (ActivityEvent event : before) {
            start = running(event, start);
        }
        return Optional.ofNullable(start).map(latest -> of(latest, before));
    }

    private static @Nullable ActivityDefinition described(
            ActivityEvent event, @Nullable ActivityDefinition definition) {
        return switch (event) {
            case ActivityCreated created -> created.definition();
            case ActivityEdited edited -> edited.definition();
            case ActivitySubmitted _,
                    ActivityPassed _,
                    StrategyAdopted _,
                    ActivityRefused _,
                    ActivityRevoked _,
                    ActivityPaused _,
                    ActivityResumed _,
                    AwardHeld _,
                    HeldAwardReleased _,
                    ActivityStarted _,
                    ActivityClosed _,
                    ActivityOpened _,
                    SeedPublished _ -> definition;
        };
    }

    private static @Nullable ActivityStarted running(ActivityEvent event, @Nullable ActivityStarted start) {
        return switch (event) {
            case ActivityStarted started -> started;
            case ActivityClosed _ -> null;
            case ActivityCreated _,
                    ActivityEdited _,
                    ActivitySubmitted _,
                    ActivityPassed _,
                    StrategyAdopted _,
                    ActivityRefused _,
                    ActivityRevoked _,
                    ActivityPaused _,
                    ActivityResumed _,
                    AwardHeld _,
                    HeldAwardReleased _,
                    ActivityOpened _,
                    SeedPublished _ -> start;
        };
    }

    ActivityFeedMessage started() {
        return new ActivityFeedMessage.Started(
                start.activityId(),
                activity.name(),
                activity.beginsAt(),
                activity.endsAt(),
                activity.zone(),
                start.round(),
                start.commitment(),
                approved.version(),
                approved.hash(),
                start.roundCommitment());
    }

    /**
     * Returns the message about an adopted version. The result is empty if the adoption has no commitment, because no
     * round was running.
     */
    Optional<ActivityFeedMessage> adopted(StrategyAdopted adopted) {
        return Optional.ofNullable(adopted.roundCommitment())
                .map(roundCommitment -> new ActivityFeedMessage.StrategyAdopted(
                        start.activityId(),
                        start.round(),
                        start.commitment(),
                        adopted.strategyVersion(),
                        adopted.strategyHash(),
                        roundCommitment));
    }

    ActivityFeedMessage closed() {
        return new ActivityFeedMessage.Closed(
                start.activityId(),
                activity.name(),
                activity.beginsAt(),
                activity.endsAt(),
                activity.zone(),
                start.round(),
                start.commitment());
    }
}
