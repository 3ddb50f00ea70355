package lottery.view.account;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.ChancesLeft;
import lottery.api.account.FindChances;
import lottery.api.activity.ActivityId;
import lottery.view.AnswersFromReadModels;
import lottery.view.QuerySender;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows a user's chances over REST. */
@RestController
@Tag(name = "Chances", description = "How many draws a user has left.")
@AnswersFromReadModels({"activities", "accounts"})
class ChancesEndpoint {

    private final QuerySender questions;

    ChancesEndpoint(QuerySender questions) {
        this.questions = questions;
    }

    @Operation(summary = "Show how often a user may draw", description = """
                    Returns the chances of one user in one activity: how many there are, how many are used and how many
                    are left, in total, this month and today. The free chances of the activity are included, even before
                    the first draw. Days and months follow the activity's time zone.""")
    @GetMapping("/api/v1/activities/{activityId}/accounts/{userId}")
    ChancesLeft getChances(@PathVariable ActivityId activityId, @PathVariable UserId userId) {
        return questions
                .find(new FindChances(activityId, userId), ChancesLeft.class)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }
}
