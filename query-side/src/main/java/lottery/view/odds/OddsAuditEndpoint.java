package lottery.view.odds;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.OddsAudit;
import lottery.view.AnswersFromReadModels;
import lottery.view.SingleFlight;
import lottery.view.odds.OddsAuditReader.FindOddsAudit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST, for each award, the promised share of draws and the share that was drawn. */
@RestController
@Tag(name = "Odds audit", description = "The comparison of promised odds with drawn awards.")
@AnswersFromReadModels({"activities", "odds"})
class OddsAuditEndpoint {

    private final SingleFlight questions;
    private final OddsAuditReader audits;

    OddsAuditEndpoint(SingleFlight questions, OddsAuditReader audits) {
        this.questions = questions;
        this.audits = audits;
    }

    @Operation(summary = "Compare promised odds with drawn awards", description = """
                    Returns, for each version of the strategy and each award, the promised share and the drawn share. If
                    an award is drawn as promised, its interval contains the promised share with the stated confidence.""")
    @GetMapping("/api/v1/activities/{activityId}/odds/audit")
    OddsAudit auditOdds(@PathVariable ActivityId activityId) {
        return questions
                .ask(new FindOddsAudit(activityId), audits::answer)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }
}
