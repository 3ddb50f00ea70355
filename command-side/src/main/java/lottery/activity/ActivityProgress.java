package lottery.activity;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
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
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.StrategyId;
import lottery.fairness.SeedRound;
import lottery.rule.CompiledStrategy;
import lottery.strategy.StrategyCache;
import org.jspecify.annotations.Nullable;

/**
 * The state of an activity, folded from its events.
 *
 * @param definitionVersion 1 after the creation, and one more after each edit that changed the definition
 * @param rounds the rounds, one for each start of the activity, the first round first
 * @param approved the version of the strategy that draws follow; null if the current definition was not passed by an
 *     approver
 * @param commitments the public commitments of all rounds, the first round first
 * @param held the awards that are held: draws do not win them for now
 */
public record ActivityProgress(
        ActivityId activityId,
        ActivityDefinition definition,
        int definitionVersion,
        ActivityState state,
        List<SeedRound> rounds,
        @Nullable ApprovedStrategy approved,
        List<RoundCommitment> commitments,
        SortedSet<Integer> held) {

    public ActivityProgress {
        held = Collections.unmodifiableSortedSet(new TreeSet<>(held));
        rounds = List.copyOf(rounds);
        commitments = List.copyOf(commitments);
    }

    /** Returns the round that is running, or was the last to run. */
    public SeedRound round() {
        if (rounds.isEmpty()) {
            throw new IllegalStateException(activityId + " has not been started");
        }
        return rounds.getLast();
    }

    /**
     * Returns the commitment of the running round to a version. It is null while no round runs, because then the next
     * start commits its round to the version.
     */
    @Nullable
    String commitmentTo(ApprovedStrategy strategy) {
        return hasRunningRound() ? commitments.getLast().bindTo(activityId, strategy) : null;
    }

    /** Returns the round with this number. */
    public Answer<SeedRound> round(int number) {
        return rounds.stream()
                .filter(round -> round.number() == number)
                .findFirst()
                .map(Answer::done)
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, SeedRound.nameOf(activityId, number))));
    }

    boolean isRunning(SeedRound round) {
        return hasRunningRound() && round.number() == rounds.size();
    }

    /**
     * Returns whether a round is running. A pause does not end a round: its seed stays secret, and decides the draws
     * after the pause.
     */
    private boolean hasRunningRound() {
        return state == ActivityState.DOING || state == ActivityState.PAUSED;
    }

    /**
     * Returns whether the action is allowed now. An activity that was not passed never runs, even if it was closed and
     * opened.
     */
    boolean allows(ActivityAction action) {
        return ActivityAction.allowedIn(state).contains(action)
                && (approved != null || !action.needsPass())
                && !(action == ActivityAction.OPEN && ScheduledDrawValidator.isOver(this));
    }

    /**
     * Returns this activity, or a refusal if the decider has looked at an older definition.
     *
     * @param seen the version that the decider has looked at; null if any version will do
     */
    Answer<ActivityProgress> definedAs(@Nullable Integer seen) {
        return seen == null || seen == definitionVersion
                ? Answer.done(this)
                : Answer.no(
                        new Refused(Refusal.VERSION_STALE, "%s (%d)".formatted(activityId.text(), definitionVersion)));
    }

    /**
     * Checks that chances can be recharged and spent now. It also compares the dates of the activity with the time,
     * because a scheduled start or end may be late.
     */
    public Answer<ActivityProgress> requireOpen(Instant now) {
        return state == ActivityState.PAUSED
                ? Answer.no(new Refused(Refusal.ACTIVITY_PAUSED, activityId.text()))
                : requireRunning(now);
    }

    /** Checks that chances can be given now. They can also be given during a pause, because they cost nothing. */
    public Answer<ActivityProgress> requireRunning(Instant now) {
        if (!hasRunningRound()) {
            return Answer.no(new Refused(Refusal.ACTIVITY_NOT_OPEN, activityId.text()));
        }
        if (now.isBefore(definition.beginsAt()) || now.isAfter(definition.endsAt())) {
            return Answer.no(new Refused(Refusal.ACTIVITY_DATES, activityId.text()));
        }
        return Answer.done(this);
    }

    public Answer<SkuOffer> offerOf(SkuId sku) {
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

    /**
     * Returns the rules that draws follow; empty if the strategy does not exist. Before the activity is passed, these
     * are the rules of the newest version.
     */
    public Optional<CompiledStrategy> rulesIn(StrategyCache strategies) {
        StrategyId strategyId = definition.strategyId();
        return approved == null ? strategies.find(strategyId) : strategies.find(strategyId, approved.version());
    }

    static ActivityProgress evolve(@Nullable ActivityProgress activity, ActivityEvent event) {
        ActivityProgress next = next(activity, event);
        ApprovedStrategy approved = activity == null ? null : activity.approved;
        return new ActivityProgress(
                next.activityId,
                next.definition,
                next.definitionVersion,
                next.state,
                next.rounds,
                ApprovedStrategy.after(approved, event),
                RoundCommitment.after(next.commitments, approved, event),
                heldAfter(next.held, event));
    }

    private static ActivityProgress next(@Nullable ActivityProgress activity, ActivityEvent event) {
        return switch (event) {
            case ActivityCreated created ->
                new ActivityProgress(
                        created.activityId(),
                        created.definition(),
                        1,
                        ActivityState.EDIT,
                        List.of(),
                        null,
                        List.of(),
                        Collections.emptySortedSet());
            case ActivityEdited edited -> known(activity).with(edited.definition());
            case ActivitySubmitted _ -> known(activity).after(ActivityAction.SUBMIT);
            case ActivityPassed _ -> known(activity).after(ActivityAction.PASS);
            case ActivityRefused _ -> known(activity).after(ActivityAction.REFUSE);
            case ActivityRevoked _ -> known(activity).after(ActivityAction.REVOKE);
            case ActivityStarted started ->
                known(activity).after(ActivityAction.START).with(started);
            case ActivityPaused _ -> known(activity).after(ActivityAction.PAUSE);
            case ActivityResumed _ -> known(activity).after(ActivityAction.RESUME);
            case ActivityClosed _ -> known(activity).after(ActivityAction.CLOSE);
            case ActivityOpened _ -> known(activity).after(ActivityAction.OPEN);
            case SeedPublished published -> known(activity).with(published);
            case StrategyAdopted _, AwardHeld _, HeldAwardReleased _ -> known(activity);
        };
    }

    private static SortedSet<Integer> heldAfter(SortedSet<Integer> held, ActivityEvent event) {
        return switch (event) {
            case AwardHeld now -> {
                SortedSet<Integer> more = new TreeSet<>(held);
                more.add(now.awardId());
                yield more;
            }
            case HeldAwardReleased now -> {
                SortedSet<Integer> fewer = new TreeSet<>(held);
                fewer.remove(now.awardId());
                yield fewer;
            }
            case ActivityEvent _ -> held;
        };
    }

    private static ActivityProgress known(@Nullable ActivityProgress activity) {
        return Optional.ofNullable(activity)
                .orElseThrow(() -> new IllegalStateException("an activity begins with its creation"));
    }

    private ActivityProgress after(ActivityAction action) {
        return new ActivityProgress(
                activityId, definition, definitionVersion, action.leadsTo(), rounds, approved, commitments, held);
    }

    private ActivityProgress with(ActivityDefinition edited) {
        return new ActivityProgress(
                activityId, edited, definitionVersion + 1, state, rounds, approved, commitments, held);
    }

    private ActivityProgress with(ActivityStarted started) {
        SeedRound round = new SeedRound(activityId, started.round(), started.commitment(), started.sealedSeed(), null);
        return new ActivityProgress(
                activityId,
                definition,
                definitionVersion,
                state,
                Stream.concat(rounds.stream(), Stream.of(round)).toList(),
                approved,
                commitments,
                held);
    }

    private ActivityProgress with(SeedPublished published) {
        return new ActivityProgress(
                activityId,
                definition,
                definitionVersion,
                state,
                rounds.stream()
                        .map(round -> round.number() == published.round() ? round.published(published.seed()) : round)
                        .toList(),
                approved,
                commitments,
                held);
    }
}
