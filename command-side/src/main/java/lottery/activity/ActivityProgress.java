package lottery.activity;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
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
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.Sku;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.GrantTime;
import lottery.fairness.SeedRound;
import org.jspecify.annotations.Nullable;

/**
 * The state of an activity, folded from its events.
 *
 * @param rounds one for each start, the first one first
 */
public record ActivityProgress(
        ActivityId activityId, ActivityDefinition definition, ActivityState state, List<SeedRound> rounds) {

    public ActivityProgress {
        rounds = List.copyOf(rounds);
    }

    /** Returns the round that is running, or was the last to run. */
    public SeedRound round() {
        if (rounds.isEmpty()) {
            throw new IllegalStateException(activityId + " has not been started");
        }
        return rounds.getLast();
    }

    /** Returns the round with this number. */
    Answer<SeedRound> round(int number) {
        return rounds.stream()
                .filter(round -> round.number() == number)
                .findFirst()
                .map(Answer::done)
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, SeedRound.nameOf(activityId, number))));
    }

    boolean isRunning(SeedRound round) {
        return state == ActivityState.DOING && round.number() == rounds.size();
    }

    boolean allows(ActivityAction action) {
        return ActivityAction.allowedIn(state).contains(action);
    }

    /** Checks that chances can be recharged and spent now, whatever a scheduled start or end has done so far. */
    public Answer<ActivityProgress> openAt(Instant now) {
        if (state != ActivityState.DOING) {
            return Answer.no(new Refused(Refusal.ACTIVITY_NOT_OPEN, activityId.text()));
        }
        if (now.isBefore(definition.beginsAt()) || now.isAfter(definition.endsAt())) {
            return Answer.no(new Refused(Refusal.ACTIVITY_DATES, activityId.text()));
        }
        return Answer.done(this);
    }

    public Answer<SkuOffer> offerOf(Sku sku) {
        return definition.skus().stream()
                .filter(offer -> offer.sku().equals(sku))
                .findFirst()
                .map(Answer::done)
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, sku.toString())));
    }

    /** Returns when an award that is won now is handed over. */
    public GrantTime grantTime(GrantTime grant) {
        return switch (grant.timing()) {
            case INSTANT, SCHEDULED, MANUAL -> grant;
            case ACTIVITY_END -> new GrantTime(GrantTime.Timing.ACTIVITY_END, definition.endsAt());
        };
    }

    public LocalDate dayAt(Instant now) {
        return LocalDate.ofInstant(now, definition.zone());
    }

    static ActivityProgress evolve(@Nullable ActivityProgress activity, ActivityEvent event) {
        return switch (event) {
            case ActivityCreated created ->
                new ActivityProgress(created.activityId(), created.definition(), ActivityState.EDIT, List.of());
            case ActivityEdited edited -> known(activity).with(edited.definition());
            case ActivitySubmitted _ -> known(activity).after(ActivityAction.SUBMIT);
            case ActivityPassed _ -> known(activity).after(ActivityAction.PASS);
            case ActivityRefused _ -> known(activity).after(ActivityAction.REFUSE);
            case ActivityRevoked _ -> known(activity).after(ActivityAction.REVOKE);
            case ActivityStarted started ->
                known(activity).after(ActivityAction.START).with(started);
            case ActivityClosed _ -> known(activity).after(ActivityAction.CLOSE);
            case ActivityOpened _ -> known(activity).after(ActivityAction.OPEN);
            case SeedPublished published -> known(activity).with(published);
        };
    }

    private static ActivityProgress known(@Nullable ActivityProgress activity) {
        return Optional.ofNullable(activity)
                .orElseThrow(() -> new IllegalStateException("an activity begins with its creation"));
    }

    private ActivityProgress after(ActivityAction action) {
        return new ActivityProgress(activityId, definition, action.leadsTo(), rounds);
    }

    private ActivityProgress with(ActivityDefinition edited) {
        return new ActivityProgress(activityId, edited, state, rounds);
    }

    private ActivityProgress with(ActivityStarted started) {
        SeedRound round = new SeedRound(activityId, started.round(), started.commitment(), started.sealedSeed(), null);
        return new ActivityProgress(
                activityId,
                definition,
                state,
                Stream.concat(rounds.stream(), Stream.of(round)).toList());
    }

    private ActivityProgress with(SeedPublished published) {
        return new ActivityProgress(
                activityId,
                definition,
                state,
                rounds.stream()
                        .map(round -> round.number() == published.round() ? round.published(published.seed()) : round)
                        .toList());
    }
}
