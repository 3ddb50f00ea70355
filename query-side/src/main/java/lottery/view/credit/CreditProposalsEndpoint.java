package lottery.view.credit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.credit.CreditProposalPage;
import lottery.api.credit.CreditProposalState;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.credit.CreditProposalListReader.FindCreditProposals;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST which bookings of credits need a second person, and what was decided about them. */
@RestController
@Tag(name = "Credits")
@AnswersFromReadModels(CreditProposalProjection.GROUP)
class CreditProposalsEndpoint {

    private final SingleFlight questions;
    private final CreditProposalListReader proposals;

    CreditProposalsEndpoint(SingleFlight questions, CreditProposalListReader proposals) {
        this.questions = questions;
        this.proposals = proposals;
    }

    @Operation(summary = "List proposed bookings of credits", description = """
                    Returns the bookings that are too large for one person, and their states, the newest first, page by
                    page. With `state`, only bookings in that state are returned; bookings in the state PROPOSED wait
                    for a second person.""")
    @GetMapping("/api/v1/ops/credit-proposals")
    CreditProposalPage listCreditProposals(
            @RequestParam(required = false) @Nullable CreditProposalState state,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindCreditProposals(state, cursor, limit), proposals::answer);
    }
}
