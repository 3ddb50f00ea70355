package lottery.view.history;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.DrawPage;
import lottery.api.raffle.FindDraws;
import lottery.api.raffle.FindRaffleOrders;
import lottery.api.raffle.RaffleOrderPage;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.QuerySender;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the draws and orders of a user over REST. They are read from the event log, so a request does not wait for a
 * read model.
 */
@RestController
@Tag(name = "Histories", description = "A user's draws, orders and recharges in an activity.")
@AnswersFromReadModels({})
class RaffleOrdersEndpoint {

    private static final String ACCOUNT = "/api/v1/activities/{activityId}/accounts/{userId}";

    private final QuerySender questions;

    RaffleOrdersEndpoint(QuerySender questions) {
        this.questions = questions;
    }

    @Operation(summary = "List a user's draws", description = """
                    Returns the draws of a user in an activity, the newest first, page by page. Draws that won nothing
                    are included. Each draw has cost one chance. The draws are read from the event log, so the list is
                    always up to date. A page can have fewer items than `limit` and still have a `next`.""")
    @GetMapping(ACCOUNT + "/draws")
    DrawPage listDraws(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, FindDraws.LIMIT_MAX, cursor, PageCursor::of);
        return questions.ask(new FindDraws(activityId, userId, cursor, limit), DrawPage.class);
    }

    @Operation(summary = "List a user's raffle orders", description = """
                    Returns the orders for which a user has spent a chance in an activity, the newest first, page by
                    page. A draw without an open order creates an order and draws it at once. An entry in a pool is an
                    order with an `entryNo`. The orders are read from the event log, so the list is always up to date. A
                    page can have fewer items than `limit` and still have a `next`.""")
    @GetMapping(ACCOUNT + "/raffle-orders")
    RaffleOrderPage listRaffleOrders(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, FindRaffleOrders.LIMIT_MAX, cursor, PageCursor::of);
        return questions.ask(new FindRaffleOrders(activityId, userId, cursor, limit), RaffleOrderPage.class);
    }
}
