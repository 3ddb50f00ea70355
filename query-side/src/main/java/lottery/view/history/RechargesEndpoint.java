package lottery.view.history;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.RechargePage;
import lottery.api.activity.ActivityId;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.history.AccountRechargeReader.FindRecharges;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the recharges of a user over REST. */
@RestController
@Tag(name = "Histories")
@AnswersFromReadModels(RechargeProjection.GROUP)
class RechargesEndpoint {

    private static final int NUMBER_LENGTH_MAX = 128;

    private final SingleFlight questions;
    private final AccountRechargeReader recharges;

    RechargesEndpoint(SingleFlight questions, AccountRechargeReader recharges) {
        this.questions = questions;
        this.recharges = recharges;
    }

    @Operation(summary = "List a user's recharges", description = """
                    Returns the recharges of a user in an activity, the newest first, page by page. Recharges that wait
                    for their payment, or were closed without one, are included. With `outBusinessNo`, only the recharge
                    with that number is returned.""")
    @GetMapping("/api/v1/activities/{activityId}/accounts/{userId}/recharges")
    RechargePage listRecharges(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable String outBusinessNo,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        if (outBusinessNo != null && (outBusinessNo.isBlank() || outBusinessNo.length() > NUMBER_LENGTH_MAX)) {
            throw new RefusedException(Refusal.INVALID, "outBusinessNo");
        }
        return questions.ask(new FindRecharges(activityId, userId, outBusinessNo, cursor, limit), recharges::answer);
    }
}
