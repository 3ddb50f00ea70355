package lottery.saga.desk;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import lottery.api.Answer;
import lottery.api.RefusedException;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.DeclineProposal;
import lottery.api.proposal.ProposalEvent;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposalState;
import lottery.store.log.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets a second person decide over REST about actions that another one has proposed. */
@RestController
@Tag(name = "Proposals", description = "Actions that need two persons.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class ProposalDecisionEndpoint {

    /** The decision of the second person. */
    enum SecondDecision {
        AGREE,
        DECLINE
    }

    /** @param reason a text for people; it is kept if the proposal is declined */
    record ProposalDecisionRequest(
            @NotNull SecondDecision decision,

            @Nullable @Pattern(regexp = DecisionReason.TEXT) @Size(max = DecisionReason.LENGTH_MAX)
            String reason) {}

    private final OperatorCommandSender commands;
    private final UndeliverableDropper dropper;
    private final EventStore events;

    ProposalDecisionEndpoint(OperatorCommandSender commands, UndeliverableDropper dropper, EventStore events) {
        this.commands = commands;
        this.dropper = dropper;
        this.events = events;
    }

    @Operation(summary = "Agree to a proposed action, or decline it", description = """
                    Decides about a proposal. AGREE carries the action out, in the same commit, and returns AGREED. It
                    needs the role `approver` for credits and rules, and the role `desk` for everything else. The person
                    who proposed the action is refused with FORBIDDEN. If the action itself is refused now, for example
                    with CREDITS_SHORT or AWARD_STATE, the proposal still waits. DECLINE ends the proposal; the person
                    who proposed it may do that, too. The same decision again returns the same response. A proposal that
                    was decided differently, or has expired, is refused with PROPOSAL_STATE.""")
    @PostMapping("/api/v1/ops/proposals/{proposalId}/decision")
    Proposal decideProposal(@PathVariable ProposalId proposalId, @Valid @RequestBody ProposalDecisionRequest form) {
        return switch (form.decision()) {
            case AGREE -> {
                Proposal agreed = agree(proposalId);
                dropper.drop(agreed);
                yield agreed;
            }
            case DECLINE ->
                commands.send(new DeclineProposal(proposalId, form.reason())).orThrow();
        };
    }

    private Proposal agree(ProposalId proposalId) {
        return switch (commands.send(new AgreeToProposal(proposalId))) {
            case Answer.Done<Proposal>(Proposal agreed) -> agreed;
            // Another request may have agreed after this one had read the proposal.
            case Answer.No<Proposal> refused ->
                EventStreams.<Proposal, ProposalEvent>fold(events, proposalId.text(), Proposal::evolve)
                        .filter(known -> known.state() == ProposalState.AGREED)
                        .orElseThrow(() -> new RefusedException(refused.refused()));
        };
    }
}
