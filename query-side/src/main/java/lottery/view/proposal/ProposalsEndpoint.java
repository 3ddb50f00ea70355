package lottery.view.proposal;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Set;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposalPage;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedActionKind;
import lottery.store.log.MergedPages;
import lottery.store.trace.Actor;
import lottery.view.AnswersFromReadModels;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.proposal.ProposalReader.FindProposals;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST which actions wait for a second person, and what was decided about them. */
@RestController
@Tag(name = "Proposals", description = "Actions that need two persons.")
@AnswersFromReadModels(ProposalProjection.GROUP)
class ProposalsEndpoint {

    private static final String PROPOSALS = "/api/v1/ops/proposals";

    private static final String ADMINISTRATOR = ProposedActionKind.CHANGE_ACCOUNT.role();

    private final SingleFlight questions;
    private final ProposalReader proposals;
    private final MergedPages pages;

    ProposalsEndpoint(SingleFlight questions, ProposalReader proposals, MergedPages pages) {
        this.questions = questions;
        this.proposals = proposals;
        this.pages = pages;
    }

    @Operation(summary = "List proposed actions", description = """
                    Returns the actions that need two persons, and their states, the newest first, page by page. With
                    `state`, only proposals in that state are returned; proposals in the state PROPOSED wait for a
                    second person.""")
    @GetMapping(PROPOSALS)
    ProposalPage listProposals(
            @RequestParam(required = false) @Nullable ProposalState state,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, pages::positions);
        return questions.ask(new FindProposals(state, onlyRole(), cursor, limit), proposals::answer);
    }

    /** Returns the role to which the caller's view is limited: an administrator sees changes of accounts only. */
    private static @Nullable String onlyRole() {
        return Actor.current()
                .filter(actor -> actor.roles().equals(Set.of(ADMINISTRATOR)))
                .map(_ -> ADMINISTRATOR)
                .orElse(null);
    }

    @Operation(summary = "Show a proposed action", description = """
                    Returns an action that needs two persons, and its state: PROPOSED, AGREED, DECLINED, or EXPIRED
                    after a week.""")
    @GetMapping(PROPOSALS + "/{proposalId}")
    Proposal getProposal(@PathVariable ProposalId proposalId) {
        String role = onlyRole();
        return proposals
                .find(proposalId)
                .filter(proposal ->
                        role == null || role.equals(proposal.action().kind().role()))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, proposalId.text()));
    }
}
