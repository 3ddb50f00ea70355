package lottery.activity;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.Bundle;
import lottery.api.activity.Sku;
import lottery.api.activity.SkuOffer;
import org.jspecify.annotations.Nullable;

/** What is known of a campaign: its definition and its state. */
public record Campaign(ActivityId activityId, ActivityDefinition definition, ActivityState state) {

    public int round() {
        return 1;
    }

    /** Whether chances can be recharged and spent now, whatever a scheduled start or end has done so far. */
    public Answer<Campaign> openAt(Instant now) {
        if (state != ActivityState.DOING) {
            return Answer.no(new Refused(Refusal.ACTIVITY_NOT_OPEN, activityId.text()));
        }
        if (now.isBefore(definition.beginsAt()) || now.isAfter(definition.endsAt())) {
            return Answer.no(new Refused(Refusal.ACTIVITY_DATES, activityId.text()));
        }
        return Answer.done(this);
    }

    public Answer<Bundle> bundleOf(Sku sku) {
        return definition.skus().stream()
                .filter(offer -> offer.sku().equals(sku))
                .findFirst()
                .map(SkuOffer::bundle)
                .map(Answer::done)
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, sku.toString())));
    }

    public LocalDate dayAt(Instant now) {
        return LocalDate.ofInstant(now, definition.zone());
    }

    static Campaign evolve(@Nullable Campaign campaign, ActivityEvent event) {
        return switch (event) {
            case ActivityCreated created ->
                new Campaign(created.activityId(), created.definition(), ActivityState.EDIT);
            case ActivitySubmitted _ -> after(Action.SUBMIT, campaign);
            case ActivityPassed _ -> after(Action.PASS, campaign);
            case ActivityRefused _ -> after(Action.REFUSE, campaign);
            case ActivityRevoked _ -> after(Action.REVOKE, campaign);
            case ActivityStarted _ -> after(Action.START, campaign);
            case ActivityClosed _ -> after(Action.CLOSE, campaign);
            case ActivityOpened _ -> after(Action.OPEN, campaign);
        };
    }

    private static Campaign after(Action action, @Nullable Campaign campaign) {
        Campaign before = Optional.ofNullable(campaign)
                .orElseThrow(() -> new IllegalStateException("an activity begins with its creation"));
        return new Campaign(before.activityId, before.definition, action.leadsTo());
    }
}
