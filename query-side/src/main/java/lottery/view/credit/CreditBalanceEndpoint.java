package lottery.view.credit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.UserId;
import lottery.api.credit.CreditBalance;
import lottery.api.credit.CreditEntries;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.credit.CreditReader.FindCreditEntries;
import lottery.view.credit.CreditReader.FindCredits;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows a user's credits over REST. */
@RestController
@Tag(name = "Credits", description = "A user's balance of credits, and the bookings.")
@AnswersFromReadModels("credits")
class CreditBalanceEndpoint {

    private static final String CREDITS = "/api/v1/users/{userId}/credits";

    private final SingleFlight questions;
    private final CreditReader credits;

    CreditBalanceEndpoint(SingleFlight questions, CreditReader credits) {
        this.questions = questions;
        this.credits = credits;
    }

    @Operation(summary = "Show a user's credits", description = """
                    Returns the user's balance of credits, which is the same in all activities. A user without bookings
                    has the balance 0.""")
    @GetMapping(CREDITS)
    CreditBalance getCredits(@PathVariable UserId userId) {
        return questions.ask(new FindCredits(userId), credits::answer);
    }

    @Operation(
            summary = "List the bookings of a user's credits",
            description = "Returns the bookings that make up the balance, the newest first, page by page.")
    @GetMapping(CREDITS + "/entries")
    CreditEntries listCreditEntries(
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindCreditEntries(userId, cursor, limit), credits::answer);
    }
}
