package lottery.view.history;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.DrawPage;
import lottery.api.raffle.RaffleOrderPage;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.history.AccountOrderReader.FindDraws;
import lottery.view.history.AccountOrderReader.FindRaffleOrders;
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

    private final SingleFlight questions;
    private final AccountOrderReader orders;

    RaffleOrdersEndpoint(SingleFlight questions, AccountOrderReader orders) {
        this.questions = questions;
        this.orders = orders;
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
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindDraws(new AccountId(activityId, userId), cursor, limit), orders::answer);
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
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindRaffleOrders(new AccountId(activityId, userId), cursor, limit), orders::answer);
    }
}
