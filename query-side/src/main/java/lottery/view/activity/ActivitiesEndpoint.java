package lottery.view.activity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.FindActivities;
import lottery.api.activity.FindActivity;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.QuerySender;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows activities over REST. */
@RestController
@Tag(name = "Activities", description = "Public reads of activities.")
@AnswersFromReadModels({"activities", "stock", "wheel"})
class ActivitiesEndpoint {

    private final QuerySender questions;

    ActivitiesEndpoint(QuerySender questions) {
        this.questions = questions;
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
        Paging.require(limit, FindActivities.LIMIT_MAX, cursor, PageCursor::of);
        return questions.ask(new FindActivities(state, cursor, limit), ListedActivities.class);
    }

    @Operation(summary = "Show an activity", description = """
                    Returns the definition of an activity, its state, and the remaining stock of its SKUs and awards.""")
    @GetMapping("/api/v1/activities/{activityId}")
    ListedActivity getActivity(@PathVariable ActivityId activityId) {
        return questions
                .find(new FindActivity(activityId), ListedActivity.class)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }
}
