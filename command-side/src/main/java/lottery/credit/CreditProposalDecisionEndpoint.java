package lottery.credit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import lottery.EndpointCommandSender;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.credit.CreditProposal;
import lottery.api.credit.CreditProposalCommand.ConfirmCredits;
import lottery.api.credit.CreditProposalCommand.DeclineCredits;
import lottery.api.credit.CreditProposalId;
import lottery.api.credit.CreditProposalState;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets a second person see and decide bookings of credits over REST. */
@RestController
@Tag(name = "Credit", description = "Bookings of credits by hand.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class CreditProposalDecisionEndpoint {

    private static final String PROPOSAL = "/api/v1/credit-proposals/{proposalId}";

    /** The decision of the second person about a proposal. */
    enum CreditDecision {
        CONFIRM,
        DECLINE
    }

    /** @param reason a text for people; it is kept if the proposal is declined */
    record CreditDecisionRequest(
            @NotNull CreditDecision decision,

            @Nullable @Pattern(regexp = CreditBookingEndpoint.TEXT) @Size(max = 200)
            String reason) {}

    private final EndpointCommandSender commands;
    private final CreditProposalReader proposals;

    CreditProposalDecisionEndpoint(EndpointCommandSender commands, CreditProposalReader proposals) {
        this.commands = commands;
        this.proposals = proposals;
    }

    @Operation(summary = "Show a proposed booking of credits", description = """
                    Returns a booking that is too large for one person, and its state: PROPOSED, BOOKED, DECLINED, or
                    EXPIRED after a week.""")
    @GetMapping(PROPOSAL)
    CreditProposal getCreditProposal(@PathVariable CreditProposalId proposalId) {
        return proposals.find(proposalId).orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, proposalId.text()));
    }

    @Operation(summary = "Confirm or decline a proposed booking of credits", description = """
                    Confirms or declines a proposed booking. CONFIRM makes the booking in the same commit and returns
                    BOOKED. It is refused with FORBIDDEN for the person who proposed the booking, with CREDITS_SHORT if
                    the balance would fall below 0, and with KEY_REUSED if the business number was booked meanwhile.
                    After such a refusal the proposal still waits. DECLINE ends the proposal. The same decision again
                    returns the same response. A proposal that was decided differently, or has expired, is refused with
                    PROPOSAL_STATE.""")
    @PostMapping(PROPOSAL + "/decision")
    CreditProposal decideCredits(
            @PathVariable CreditProposalId proposalId, @Valid @RequestBody CreditDecisionRequest form) {
        return switch (form.decision()) {
            case CONFIRM -> {
                proposals
                        .find(proposalId)
                        .filter(proposal -> proposal.state() == CreditProposalState.PROPOSED
                                && proposal.amount().signum() < 0)
                        .ifPresent(proposal -> commands.requireNotBanned(proposal.userId()));
                yield switch (commands.send(new ConfirmCredits(proposalId))) {
                    case Answer.Done<CreditProposal>(CreditProposal confirmed) -> confirmed;
                    // A request at the same time may have confirmed the proposal after this one had read it.
                    case Answer.No<CreditProposal>(Refused refused) ->
                        proposals
                                .find(proposalId)
                                .filter(proposal -> proposal.state() == CreditProposalState.BOOKED)
                                .orElseThrow(() -> new RefusedException(refused));
                };
            }
            case DECLINE ->
                commands.send(new DeclineCredits(proposalId, form.reason())).orThrow();
        };
    }
}
