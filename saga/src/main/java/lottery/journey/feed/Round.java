package lottery.journey.feed;

import java.util.List;
import java.util.Optional;
import lottery.api.activity.ActivityDefinition;
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
import org.jspecify.annotations.Nullable;

/** A campaign from a start to its close, with the campaign as it was described then. */
record Round(ActivityStarted start, ActivityDefinition campaign) {

    static Round of(ActivityStarted start, List<? extends ActivityEvent> before) {
        ActivityDefinition campaign = null;
        for (ActivityEvent event : before) {
            campaign = described(event, campaign);
        }
        if (campaign == null) {
            throw new IllegalArgumentException(start.activityId() + " has started without having been created");
        }
        return new Round(start, campaign);
    }

    /**
     * None: it was closed without having been started, or again, which is no news to those who have not heard of it.
     */
    static Optional<Round> running(List<? extends ActivityEvent> before) {
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
                    ActivityRefused _,
                    ActivityRevoked _,
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
                    ActivityRefused _,
                    ActivityRevoked _,
                    ActivityOpened _,
                    SeedPublished _ -> start;
        };
    }

    CampaignNews started() {
        return new CampaignNews.Started(
                start.activityId(),
                campaign.name(),
                campaign.beginsAt(),
                campaign.endsAt(),
                campaign.zone(),
                start.round(),
                start.commitment());
    }

    CampaignNews closed() {
        return new CampaignNews.Closed(
                start.activityId(),
                campaign.name(),
                campaign.beginsAt(),
                campaign.endsAt(),
                campaign.zone(),
                start.round(),
                start.commitment());
    }
}
