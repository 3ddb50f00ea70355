package lottery.view.activity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.activity.ActivityReader.FindActivities;
import lottery.view.activity.ActivityReader.FindActivity;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows activities over REST. */
@RestController
@Tag(name = "Activities", description = "Public reads of activities.")
@AnswersFromReadModels({"activities", "wheel"})
class ActivitiesEndpoint {

    private final SingleFlight questions;
    private final ActivityReader activities;

    ActivitiesEndpoint(SingleFlight questions, ActivityReader activities) {
        this.questions = questions;
        this.activities = activities;
    }

    @Operation(summary = "List activities", description = """
                    Returns activities with their definitions and states, the highest id first, page by page. With
                    `state`, only activities in that state are returned. Only the request for a single activity also
                    returns the remaining stock.""")
    @GetMapping("/api/v1/activities")
    ListedActivities listActivities(
            @RequestParam(required = false) @Nullable ActivityState state,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindActivities(state, cursor, limit), activities::answer);
    }

    @Operation(summary = "Show an activity", description = """
                    Returns the definition of an activity, its state, and the remaining stock of its SKUs and awards.""")
    @GetMapping("/api/v1/activities/{activityId}")
    ListedActivity getActivity(@PathVariable ActivityId activityId) {
        return questions
                .ask(new FindActivity(activityId), activities::answer)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }
}
