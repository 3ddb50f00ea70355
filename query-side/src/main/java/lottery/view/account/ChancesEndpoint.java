package lottery.view.account;

import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.ChancesLeft;
import lottery.api.account.FindChances;
import lottery.api.activity.ActivityId;
import lottery.view.QuerySender;
import lottery.view.ReadsFrom;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows a user's chances over REST. */
@RestController
@ReadsFrom({"activities", "accounts"})
class ChancesEndpoint {

    private final QuerySender questions;

    ChancesEndpoint(QuerySender questions) {
        this.questions = questions;
    }

    @GetMapping("/api/v1/activities/{activityId}/accounts/{userId}")
    ChancesLeft getChances(@PathVariable ActivityId activityId, @PathVariable UserId userId) {
        return questions
                .find(new FindChances(activityId, userId), ChancesLeft.class)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }
}
