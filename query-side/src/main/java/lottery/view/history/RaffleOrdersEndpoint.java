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
@Tag(name = "Histories", description = "What a user has drawn, ordered and recharged in an activity.")
@AnswersFromReadModels({})
class RaffleOrdersEndpoint {

    private static final String ACCOUNT = "/api/v1/activities/{activityId}/accounts/{userId}";

    private final QuerySender questions;

    RaffleOrdersEndpoint(QuerySender questions) {
        this.questions = questions;
    }

    @Operation(summary = "List a user's draws", description = """
                    Answers the draws that a user has made in an activity, the newest first, a page at a time, also
                    those that won nothing. Each has cost one chance. They are read from the event log, so that they
                    are never behind. A page can have fewer items than `limit` and still a `next`.""")
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
                    Answers the orders that a user has spent a chance for in an activity, the newest first, a page at
                    a time. A draw without an open order makes one, which is drawn at once. An entry in a pool is an order with
                    an `entryNo`. They are read from the
                    event log, so that they are never behind. A page can have fewer items than `limit` and still a
                    `next`.""")
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
