package lottery.view.payment;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.payment.PaymentPage;
import lottery.api.payment.PaymentState;
import lottery.store.log.MergedPages;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.payment.PaymentListReader.FindPayments;
import lottery.view.payment.PaymentListReader.FindUserPayments;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists payments over REST. */
@RestController
@Tag(name = "Payment")
@AnswersFromReadModels(PaymentProjection.GROUP)
class PaymentsEndpoint {

    private final SingleFlight questions;
    private final PaymentListReader payments;
    private final MergedPages pages;

    PaymentsEndpoint(SingleFlight questions, PaymentListReader payments, MergedPages pages) {
        this.questions = questions;
        this.payments = payments;
        this.pages = pages;
    }

    @Operation(summary = "List a user's payments", description = """
                    Returns the payments of a user in an activity, the newest first, page by page.""")
    @GetMapping("/api/v1/activities/{activityId}/accounts/{userId}/payments")
    PaymentPage listUserPayments(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindUserPayments(activityId, userId, cursor, limit), payments::answer);
    }

    @Operation(summary = "List payments", description = """
                    Returns the payments of all users, the newest first, page by page. With `state`, only payments in
                    that state are returned; payments in the state ON_DESK wait for a person.""")
    @GetMapping("/api/v1/ops/payments")
    PaymentPage listPayments(
            @RequestParam(required = false) @Nullable PaymentState state,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, pages::positions);
        return questions.ask(new FindPayments(state, cursor, limit), payments::answer);
    }
}
