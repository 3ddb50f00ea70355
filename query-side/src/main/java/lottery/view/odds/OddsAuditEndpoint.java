package lottery.view.odds;

import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.FindOddsAudit;
import lottery.api.strategy.OddsAudit;
import lottery.view.QuerySender;
import lottery.view.ReadsFrom;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows promised and drawn shares over REST. */
@RestController
@ReadsFrom({"activities", "odds"})
class OddsAuditEndpoint {

    private final QuerySender questions;

    OddsAuditEndpoint(QuerySender questions) {
        this.questions = questions;
    }

    @GetMapping("/api/v1/activities/{activityId}/odds/audit")
    OddsAudit auditOdds(@PathVariable ActivityId activityId) {
        return questions
                .find(new FindOddsAudit(activityId), OddsAudit.class)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }
}
