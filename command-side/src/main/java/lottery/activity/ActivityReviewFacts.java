package lottery.activity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ApprovedStrategy;
import lottery.store.trace.Actor;
import org.axonframework.eventhandling.EventMessage;
import org.jspecify.annotations.Nullable;

/**
 * An activity with all that an approver needs to know beside its state, folded from its events.
 *
 * @param passed the definition that was passed last; null if none was passed
 * @param approved the version of the strategy that was approved last, even if the activity was taken back since then
 * @param writers the names of the persons who have created or edited the activity, the first one first
 */
record ActivityReviewFacts(
        ActivityProgress activity,
        @Nullable ActivityDefinition passed,
        @Nullable ApprovedStrategy approved,
        List<String> writers,
        @Nullable String submittedBy) {

    ActivityReviewFacts {
        writers = List.copyOf(writers);
    }

    static ActivityReviewFacts evolve(@Nullable ActivityReviewFacts before, EventMessage<?> message) {
        ActivityEvent event = (ActivityEvent) message.getPayload();
        Optional<String> actor = Actor.nameIn(message);
        ActivityProgress activity = ActivityProgress.evolve(before == null ? null : before.activity, event);
        return new ActivityReviewFacts(
                activity,
                event instanceof ActivityPassed ? activity.definition() : before == null ? null : before.passed,
                approvedAfter(before, event),
                writersAfter(before, event, actor),
                event instanceof ActivitySubmitted ? actor.orElse(null) : before == null ? null : before.submittedBy);
    }

    private static @Nullable ApprovedStrategy approvedAfter(@Nullable ActivityReviewFacts before, ActivityEvent event) {
        boolean isApproval = event instanceof ActivityPassed || event instanceof StrategyAdopted;
        @Nullable ApprovedStrategy known = before == null ? null : before.approved;
        return isApproval ? ApprovedStrategy.after(known, event) : known;
    }

    private static List<String> writersAfter(
            @Nullable ActivityReviewFacts before, ActivityEvent event, Optional<String> actor) {
        List<String> known = before == null ? List.of() : before.writers;
        boolean isWritten = event instanceof ActivityCreated || event instanceof ActivityEdited;
        if (!isWritten || actor.isEmpty() || known.contains(actor.get())) {
            return known;
        }
        List<String> writers = new ArrayList<>(known);
        writers.add(actor.get());
        return writers;
    }

    /** Returns the actions that the state allows. */
    List<ActivityAction> actions() {
        return List.of(ActivityAction.values()).stream()
                .filter(activity::allows)
                .toList();
    }

    /**
     * Returns the names of the persons who have created, edited or submitted the activity. They may not approve it
     * (action {@code PASS}), because it is their own work.
     */
    Set<String> authors() {
        Set<String> authors = new HashSet<>(writers);
        if (submittedBy != null) {
            authors.add(submittedBy);
        }
        return authors;
    }
}
