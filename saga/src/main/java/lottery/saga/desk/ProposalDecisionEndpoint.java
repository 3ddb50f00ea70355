package lottery.saga.desk;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.Objects;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.DeclineProposal;
import lottery.api.proposal.ProposalEvent;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposedAction;
import lottery.api.proposal.ProposedActionKind;
import lottery.store.axon.EventStreams;
import lottery.store.trace.Actor;
import lottery.store.vault.PersonalTexts;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
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
    private final PersonalTexts texts;
    private final EventStore events;
    private final ApplicationEventPublisher listeners;

    ProposalDecisionEndpoint(
            OperatorCommandSender commands,
            UndeliverableDropper dropper,
            PersonalTexts texts,
            EventStore events,
            ApplicationEventPublisher listeners) {
        this.listeners = listeners;
        this.commands = commands;
        this.dropper = dropper;
        this.texts = texts;
        this.events = events;
    }

    @Operation(summary = "Agree to a proposed action, or decline it", description = """
                    Decides about a proposal. AGREE carries the action out and returns AGREED. It needs the role
                    `approver` for credits and rules, `admin` for accounts, and `desk` for everything else. The person who proposed
                    the action is refused with FORBIDDEN. If the action itself is refused now, for example with
                    CREDITS_SHORT or AWARD_STATE, the proposal still waits. DECLINE ends the proposal. An operator, an
                    approver or somebody of the desk may also decline what they have proposed. The same decision again
                    returns the same response. A proposal that was decided differently, or has expired, is refused with
                    PROPOSAL_STATE.""")
    @PostMapping("/api/v1/ops/proposals/{proposalId}/decision")
    Proposal decideProposal(@PathVariable ProposalId proposalId, @Valid @RequestBody ProposalDecisionRequest form) {
        Proposal known = EventStreams.<Proposal, ProposalEvent>fold(events, proposalId.text(), Proposal::evolve)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, proposalId.text()));
        try (var _ = Actor.open(actorFor(known))) {
            return switch (form.decision()) {
                case AGREE -> {
                    Proposal agreed =
                            commands.send(new AgreeToProposal(proposalId)).orThrow();
                    complete(agreed);
                    yield agreed;
                }
                case DECLINE ->
                    commands.send(new DeclineProposal(proposalId, form.reason()))
                            .orThrow();
            };
        }
    }

    /** Returns the caller in the role that decides about the action, if the caller has it. */
    private static @Nullable Actor actorFor(Proposal proposal) {
        return Actor.current()
                .map(actor -> actor.as(proposal.action().kind().role()).orElse(actor))
                .orElse(null);
    }

    /** Does what no aggregate can do. If the process ends before, the same decision again does it. */
    private void complete(Proposal agreed) {
        ProposedAction action = agreed.action();
        if (action.kind() == ProposedActionKind.ERASE_PERSON) {
            texts.erase(action.user().value(), Objects.requireNonNull(action.keyId()));
        }
        dropper.drop(agreed);
        listeners.publishEvent(agreed); // The accounts of the lottery listen, if it has any.
    }
}
