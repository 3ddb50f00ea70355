package lottery.activity;

import static lottery.api.SubmissionFlaw.FlawKind.ENDS_BEFORE_BEGIN;
import static lottery.api.SubmissionFlaw.FlawKind.MISSING;
import static lottery.api.SubmissionFlaw.FlawKind.SKU_TWICE;
import static lottery.api.SubmissionFlaw.FlawKind.TIME_OUT_OF_RANGE;
import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import lottery.SecondPerson;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.StorableTimeRange;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityCommand.AdoptStrategy;
import lottery.api.activity.ActivityCommand.CloseActivity;
import lottery.api.activity.ActivityCommand.CreateActivity;
import lottery.api.activity.ActivityCommand.EditActivity;
import lottery.api.activity.ActivityCommand.HoldAward;
import lottery.api.activity.ActivityCommand.OpenActivity;
import lottery.api.activity.ActivityCommand.PassActivity;
import lottery.api.activity.ActivityCommand.PauseActivity;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityCommand.RefuseActivity;
import lottery.api.activity.ActivityCommand.ReleaseHeldAward;
import lottery.api.activity.ActivityCommand.ResumeActivity;
import lottery.api.activity.ActivityCommand.RevokeActivity;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityCommand.SubmitActivity;
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
import lottery.api.activity.ActivityState;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.SkuOffer;
import lottery.fairness.Seed;
import lottery.fairness.SeedCache;
import lottery.fairness.SeedCipher;
import lottery.fairness.SeedRound;
import lottery.rule.BudgetValidator;
import lottery.store.trace.Actor;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.messaging.annotation.MetaDataValue;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** An activity. {@link ActivityAction} says in which state which action is allowed. */
@Aggregate(type = "activity", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class Activity {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable ActivityProgress activity;
    private final Set<String> writers = new HashSet<>();
    private @Nullable String submittedBy;

    Activity() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    Answer<ActivityState> handle(CreateActivity create) {
        List<SubmissionFlaw> findings = findings(create.definition());
        if (!findings.isEmpty()) {
            throw new RefusedException(
                    new Refused(Refusal.INVALID, create.activityId().text(), findings));
        }
        apply(new ActivityCreated(create.activityId(), create.definition()));
        return Answer.done(activity().state());
    }

    @CommandHandler
    Answer<ActivityState> handle(EditActivity edit) {
        if (activity().state() != ActivityState.EDIT) {
            return Answer.no(notInThisState("edit"));
        }
        List<SubmissionFlaw> findings = findings(edit.definition());
        if (!findings.isEmpty()) {
            return Answer.no(new Refused(Refusal.INVALID, edit.activityId().text(), findings));
        }
        if (edit.definition().equals(activity().definition())) {
            return Answer.done(activity().state());
        }
        return activity().definedAs(edit.basedOn()).then(_ -> {
            apply(new ActivityEdited(edit.activityId(), edit.definition()));
            return Answer.done(activity().state());
        });
    }

    @CommandHandler
    Answer<ActivityState> handle(SubmitActivity submit, SubmissionValidator readiness, InstantSource clock) {
        return allow(ActivityAction.SUBMIT)
                .then(activity -> readiness.check(activity, clock.instant()))
                .then(sound -> take(ActivityAction.SUBMIT, new ActivitySubmitted(submit.activityId())));
    }

    @CommandHandler
    Answer<ActivityState> handle(PassActivity pass, StrategyVersionApprover approval) {
        return SecondPerson.agreeing(ActivityAction.PASS.text(), "written or submitted", authors())
                .then(_ -> allow(ActivityAction.PASS))
                .then(activity -> activity.definedAs(pass.definitionVersion()))
                .then(activity -> approval.ofNewest(activity.definition(), pass.strategyVersion()))
                .then(approved -> take(
                        ActivityAction.PASS,
                        new ActivityPassed(pass.activityId(), approved.version(), approved.hash())));
    }

    private Set<String> authors() {
        Set<String> authors = new HashSet<>(writers);
        if (submittedBy != null) {
            authors.add(submittedBy);
        }
        return authors;
    }

    /**
     * Approves another version of the strategy for later draws. If that version is approved already, nothing changes.
     * If an activity with a pool is closed, the approval is refused, because the round of the pool was committed to the
     * earlier version.
     */
    @CommandHandler
    Answer<ActivityState> handle(AdoptStrategy adopt, StrategyVersionApprover approval) {
        return allow(ActivityAction.ADOPT)
                .then(activity -> activity.definition().draw() != null && activity.state() == ActivityState.CLOSED
                        ? Answer.<ActivityProgress>no(notInThisState(ActivityAction.ADOPT.text()))
                        : Answer.done(activity))
                .then(activity -> approval.of(activity.definition(), adopt.strategyVersion()))
                .then(approved -> {
                    if (!approved.equals(activity().approved())) {
                        apply(new StrategyAdopted(
                                adopt.activityId(),
                                approved.version(),
                                approved.hash(),
                                activity().commitmentTo(approved)));
                    }
                    return Answer.done(activity().state());
                });
    }

    @CommandHandler
    Answer<ActivityState> handle(RefuseActivity refuse) {
        return take(ActivityAction.REFUSE, new ActivityRefused(refuse.activityId()));
    }

    @CommandHandler
    Answer<ActivityState> handle(RevokeActivity revoke) {
        return take(ActivityAction.REVOKE, new ActivityRevoked(revoke.activityId()));
    }

    /** Starts a round with a seed of its own, because the previous seed is, or soon will be, public. */
    @CommandHandler
    Answer<ActivityState> handle(StartActivity start, SeedCipher vault, SecureRandom random) {
        return allow(ActivityAction.START).then(activity -> {
            int round = activity.rounds().size() + 1;
            Seed seed = Seed.fresh(random);
            String sealed = vault.seal(seed, start.activityId(), round, random);
            String commitment = seed.commitment();
            ApprovedStrategy approved = Objects.requireNonNull(activity.approved());
            return take(
                    ActivityAction.START,
                    new ActivityStarted(
                            start.activityId(),
                            round,
                            commitment,
                            sealed,
                            RoundCommitment.of(start.activityId(), round, commitment, approved)));
        });
    }

    @CommandHandler
    Answer<ActivityState> handle(PauseActivity pause) {
        return take(ActivityAction.PAUSE, new ActivityPaused(pause.activityId()));
    }

    @CommandHandler
    Answer<ActivityState> handle(ResumeActivity resume) {
        return take(ActivityAction.RESUME, new ActivityResumed(resume.activityId()));
    }

    /**
     * Holds an award. The state of the activity does not matter, so that an award can be held before its activity
     * starts.
     */
    @CommandHandler
    Answer<ActivityState> handle(HoldAward hold, AwardExistenceLookup awards) {
        int awardId = hold.awardId();
        if (activity().definition().draw() != null) {
            return Answer.no(new Refused(Refusal.DRAW_MODE, hold.activityId().text()));
        }
        if (!activity().held().contains(awardId)) {
            if (!awards.has(activity(), awardId)) {
                return Answer.no(new Refused(Refusal.NOT_FOUND, "%s/%d".formatted(hold.activityId(), awardId)));
            }
            apply(new AwardHeld(hold.activityId(), awardId, hold.reason()));
        }
        return Answer.done(activity().state());
    }

    @CommandHandler
    Answer<ActivityState> handle(ReleaseHeldAward release) {
        if (activity().held().contains(release.awardId())) {
            apply(new HeldAwardReleased(release.activityId(), release.awardId(), release.reason()));
        }
        return Answer.done(activity().state());
    }

    @CommandHandler
    Answer<ActivityState> handle(CloseActivity close) {
        return take(ActivityAction.CLOSE, new ActivityClosed(close.activityId()));
    }

    @CommandHandler
    Answer<ActivityState> handle(OpenActivity open) {
        return take(ActivityAction.OPEN, new ActivityOpened(open.activityId()));
    }

    /**
     * Publishes the seed of a round that has ended. During the round the seed stays secret, because nobody may draw
     * with a known seed. The seed of a pool stays secret until the public random value of the pool's draw is stored.
     */
    @CommandHandler
    Answer<ActivityState> handle(PublishSeed publish, SeedCache seeds, OpenPoolLookup pools) {
        return activity()
                .round(publish.round())
                .then(round -> activity().isRunning(round) || isUndecided(round, pools)
                        ? Answer.no(notInThisState("publish-seed"))
                        : publish(round, seeds));
    }

    private boolean isUndecided(SeedRound round, OpenPoolLookup pools) {
        return activity().definition().draw() != null && !round.isPublished() && pools.isUndecided(round.activityId());
    }

    private Answer<ActivityState> publish(SeedRound round, SeedCache seeds) {
        if (!round.isPublished()) {
            apply(new SeedPublished(
                    round.activityId(), round.number(), seeds.of(round).reveal()));
        }
        return Answer.done(activity().state());
    }

    private Answer<ActivityState> take(ActivityAction action, ActivityEvent event) {
        return allow(action).then(_ -> {
            apply(event);
            return Answer.done(activity().state());
        });
    }

    private Answer<ActivityProgress> allow(ActivityAction action) {
        return activity().allows(action) ? Answer.done(activity()) : Answer.no(notInThisState(action.text()));
    }

    private Refused notInThisState(String action) {
        return new Refused(Refusal.ACTIVITY_STATE, action + " (" + activity().state() + ")");
    }

    private static List<SubmissionFlaw> findings(ActivityDefinition definition) {
        List<SubmissionFlaw> findings = new ArrayList<>();
        if (!definition.beginsAt().isBefore(definition.endsAt())) {
            findings.add(new SubmissionFlaw("/endsAt", ENDS_BEFORE_BEGIN));
        }
        if (!StorableTimeRange.isInRange(definition.beginsAt())) {
            findings.add(new SubmissionFlaw("/beginsAt", TIME_OUT_OF_RANGE));
        }
        if (!StorableTimeRange.isInRange(definition.endsAt())) {
            findings.add(new SubmissionFlaw("/endsAt", TIME_OUT_OF_RANGE));
        }
        if (definition.free() == null && definition.skus().isEmpty()) {
            findings.add(new SubmissionFlaw("/skus", MISSING));
        }
        long skus = definition.skus().stream().map(SkuOffer::sku).distinct().count();
        if (skus < definition.skus().size()) {
            findings.add(new SubmissionFlaw("/skus", SKU_TWICE));
        }
        ScheduledDrawValidator.unfitTimes(definition).ifPresent(findings::add);
        ScheduledDrawValidator.unfitQueue(definition).ifPresent(findings::add);
        BudgetValidator.unfit(definition).ifPresent(findings::add);
        return findings;
    }

    @EventSourcingHandler
    void on(ActivityEvent event, @MetaDataValue(Actor.NAME_KEY) @Nullable String actor) {
        id = event.activityId().text();
        switch (event) {
            case ActivitySubmitted _ -> submittedBy = actor;
            case ActivityCreated _, ActivityEdited _ -> {
                if (actor != null) {
                    writers.add(actor);
                }
            }
            case ActivityEvent _ -> {
                // The other events change neither the writers nor the submitter.
            }
        }
        activity = ActivityProgress.evolve(activity, event);
    }

    private ActivityProgress activity() {
        if (activity == null) {
            throw new IllegalStateException("an activity begins with its creation");
        }
        return activity;
    }
}
