package lottery.activity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import lottery.store.axon.EventStreams;
import lottery.store.trace.Actor;
import lottery.strategy.StrategyCache;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows over REST which actions an activity allows, and the facts that an approver compares. It reads the log, so it is
 * exact.
 */
@RestController
@Tag(name = "Activity", description = "Creation of activities, and their states from draft to end.")
class ActivityReviewEndpoint {

    /** @param yours whether the caller may take the action, with the newest version of the strategy */
    record AllowedAction(ActivityAction action, boolean yours) {}

    /** @param strategyVersion the version of the strategy that was approved last */
    record ApprovedDefinition(
            ActivityDefinitionRequest definition, @Nullable Integer strategyVersion) {}

    /**
     * An activity as an approver looks at it.
     *
     * @param definition the definition, in the form in which an activity is created and edited
     * @param definitionVersion the version of this definition, for a pass and for the `If-Match` of an edit
     * @param passed the definition that was passed last, for a comparison
     * @param strategyVersion the newest version of its strategy, which a pass approves
     * @param writers the names of the persons who have created or edited the activity
     */
    record ReviewedActivity(
            ActivityId activityId,
            ActivityState state,
            List<AllowedAction> actions,
            ActivityDefinitionRequest definition,
            int definitionVersion,
            @Nullable ApprovedDefinition passed,
            @Nullable Integer strategyVersion,
            List<String> writers,
            @Nullable String submittedBy) {}

    private final EventStore events;
    private final StrategyCache strategies;

    ActivityReviewEndpoint(EventStore events, StrategyCache strategies) {
        this.events = events;
        this.strategies = strategies;
    }

    @Operation(summary = "Show what may be done with an activity, and what changes", description = """
                    Returns the actions that the activity's state allows, and which of them the caller may take. It also
                    returns the current definition and the last approved one, so an approver sees what changes, and the
                    versions to send with `pass`. The state is read from the event log and not from a read model.""")
    @GetMapping("/api/v1/activities/{activityId}/review")
    ReviewedActivity reviewActivity(@PathVariable ActivityId activityId) {
        ActivityReviewFacts review = read(activityId);
        ActivityProgress activity = review.activity();
        StrategyId strategyId = activity.definition().strategyId();
        Optional<Integer> newest = strategies.find(strategyId).map(CompiledStrategy::version);
        Optional<Actor> caller = Actor.current();
        return new ReviewedActivity(
                activityId,
                activity.state(),
                review.actions().stream()
                        .map(action -> new AllowedAction(
                                action,
                                caller.isEmpty() || isOf(caller.get(), action, review, author(strategyId, newest))))
                        .toList(),
                ActivityDefinitionRequest.of(activityId, activity.definition()),
                activity.definitionVersion(),
                review.passed() == null
                        ? null
                        : new ApprovedDefinition(
                                ActivityDefinitionRequest.of(activityId, review.passed()),
                                review.approved() == null
                                        ? null
                                        : review.approved().version()),
                newest.orElse(null),
                review.writers(),
                review.submittedBy());
    }

    private Optional<String> author(StrategyId strategyId, Optional<Integer> version) {
        return version.flatMap(number -> strategies.authorOf(strategyId, number));
    }

    private static boolean isOf(
            Actor caller, ActivityAction action, ActivityReviewFacts review, Optional<String> strategyAuthor) {
        boolean isStrategyOwn = strategyAuthor.filter(caller.name()::equals).isPresent();
        boolean isOwnWork = switch (action) {
            case PASS -> isStrategyOwn || review.authors().contains(caller.name());
            case ADOPT -> isStrategyOwn;
            case SUBMIT, REFUSE, REVOKE, START, PAUSE, RESUME, CLOSE, OPEN -> false;
        };
        return caller.roles().contains(action.role()) && !isOwnWork;
    }

    private ActivityReviewFacts read(ActivityId activityId) {
        ActivityReviewFacts review = EventStreams.<@Nullable ActivityReviewFacts>foldMessages(
                events, activityId.text(), 0, null, ActivityReviewFacts::evolve);
        if (review == null) {
            throw new RefusedException(Refusal.NOT_FOUND, activityId.text());
        }
        return review;
    }
}
