package lottery.activity;

import static lottery.api.SubmissionFlaw.FlawKind.ID_DIFFERS;
import static lottery.api.SubmissionFlaw.FlawKind.MISSING;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.List;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityCommand.CreateActivity;
import lottery.api.activity.ActivityCommand.EditActivity;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Creates and changes activities over REST. */
@RestController
@Tag(name = "Activity", description = "Creation of activities, and their states from draft to end.")
class ActivityEndpoint {

    record ActivityReply(ActivityId activityId, ActivityState state) {}

    /** The pattern of an entity tag, as it is in the answers or without its quotes. */
    private static final String ETAG = "\"?[0-9]{1,9}\"?";

    /**
     * @param strategyVersion the version that is passed or adopted
     * @param definitionVersion the version of the activity's definition that is passed
     */
    record ActivityTransition(
            @NotNull ActivityAction action,
            @Nullable @Min(1) Integer strategyVersion,
            @Nullable @Min(1) Integer definitionVersion) {}

    private final EndpointCommandSender commands;
    private final ActivityCache activities;

    ActivityEndpoint(EndpointCommandSender commands, ActivityCache activities) {
        this.commands = commands;
        this.activities = activities;
    }

    @Operation(summary = "Create an activity", description = """
                    Creates an activity in the state EDIT. Its strategy need not exist until the activity is submitted.
                    The caller chooses the id, so the request can be repeated: the same definition again returns 200
                    with the header `Idempotency-Replayed`. A different definition for an existing id is refused with
                    KEY_REUSED. An activity has at most 50 SKUs, and at least one if it has no free chances.""")
    @IdempotentCreation
    @PostMapping("/api/v1/activities")
    ResponseEntity<ActivityReply> createActivity(@Valid @RequestBody ActivityDefinitionRequest form) {
        Long number = form.activityId();
        if (number == null) {
            throw flawed("/activityId", MISSING);
        }
        ActivityId activityId = new ActivityId(number);
        ActivityDefinition definition = form.definition();
        return switch (commands.send(new CreateActivity(activityId, definition))) {
            case Answer.Done<ActivityState>(ActivityState state) ->
                IdempotentReplyBuilder.created(
                        URI.create("/api/v1/activities/" + activityId.value()), new ActivityReply(activityId, state));
            case Answer.No<ActivityState>(Refused refused) -> repeated(activityId, definition, refused);
        };
    }

    /**
     * Answers a repeated creation. The activity's id, chosen by the operator, is the idempotency key: the same
     * definition under this id is the same request.
     */
    private ResponseEntity<ActivityReply> repeated(
            ActivityId activityId, ActivityDefinition definition, Refused refused) {
        // This process may have seen before that there is no such activity.
        activities.forget(activityId);
        return switch (activities.find(activityId)) {
            case Answer.Done<ActivityProgress>(ActivityProgress known)
            when known.definition().equals(definition) ->
                IdempotentReplyBuilder.repeated(new ActivityReply(activityId, ActivityState.EDIT));
            case Answer.Done<ActivityProgress> _ -> throw new RefusedException(refused);
            case Answer.No<ActivityProgress> _ -> throw new RefusedException(refused);
        };
    }

    private static RefusedException flawed(String pointer, SubmissionFlaw.FlawKind flaw) {
        return new RefusedException(new Refused(Refusal.INVALID, pointer, List.of(new SubmissionFlaw(pointer, flaw))));
    }

    @Operation(summary = "Replace the description of a draft", description = """
                    Replaces the whole definition of an activity; a field that is left out is removed. Only an activity
                    in the state EDIT can be changed. Use the action `revoke` to bring a submitted activity back to
                    EDIT. With `If-Match`, the request is refused with VERSION_STALE if that version is not the newest
                    one; without it, any version is replaced. The same definition again changes nothing.""")
    @PutMapping("/api/v1/activities/{activityId}")
    ActivityReply editActivity(
            @PathVariable ActivityId activityId,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable @Pattern(regexp = ETAG)
                    String basedOn,
            @Valid @RequestBody ActivityDefinitionRequest form) {
        Long inside = form.activityId();
        if (inside != null && inside != activityId.value()) {
            throw flawed("/activityId", ID_DIFFERS);
        }
        Integer version = basedOn == null ? null : Integer.valueOf(basedOn.replace("\"", ""));
        ActivityState state = commands.send(new EditActivity(activityId, version, form.definition()))
                .orThrow();
        activities.forget(activityId);
        return new ActivityReply(activityId, state);
    }

    @Operation(summary = "Submit, pass, start or close an activity", description = """
                    Takes one action and returns the new state. An operator may `submit`, `revoke`, `start`, `pause`,
                    `resume`, `close` and `open`; an approver may `pass`, `refuse` and `adopt`. An action that the state
                    does not allow is refused with ACTIVITY_STATE. Nobody can pass or adopt their own work. A `pass`
                    with the `strategyVersion` and `definitionVersion` of the review approves exactly these versions; if
                    there are newer ones, it is refused with VERSION_STALE. `adopt` with `strategyVersion` makes the
                    activity draw by another version of its strategy. A passed activity also starts and ends by itself
                    at its dates.""")
    @PostMapping("/api/v1/activities/{activityId}/transitions")
    ActivityReply changeActivityState(
            @PathVariable ActivityId activityId, @Valid @RequestBody ActivityTransition transition) {
        ActivityAction action = transition.action();
        if (action == ActivityAction.ADOPT && transition.strategyVersion() == null) {
            throw flawed("/strategyVersion", MISSING);
        }
        try (var _ = Actor.open(actorOf(action))) {
            ActivityState state = commands.send(
                            action.on(activityId, transition.strategyVersion(), transition.definitionVersion()))
                    .orThrow();
            activities.forget(activityId);
            return new ActivityReply(activityId, state);
        }
    }

    /** Returns the caller in the role that may take the action. */
    private static @Nullable Actor actorOf(ActivityAction action) {
        return Actor.current()
                .map(actor -> actor.as(action.role())
                        .orElseThrow(() -> new RefusedException(Refusal.FORBIDDEN, action.text())))
                .orElse(null);
    }
}
