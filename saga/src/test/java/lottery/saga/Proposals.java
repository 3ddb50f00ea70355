package lottery.saga;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import lottery.api.Answer;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.DeclineProposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalId;
import lottery.store.trace.Actor;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.AggregateNotFoundException;

/** Replaces the proposals of the command side, which compare the persons and carry the actions out. */
class Proposals {

    private static final Instant NEVER = Instant.parse("9000-01-01T00:00:00Z");

    private final EventStore events;
    private final Map<ProposalId, Proposal> known = new ConcurrentHashMap<>();

    Proposals(EventStore events) {
        this.events = events;
    }

    @CommandHandler
    Answer<Proposal> handle(ProposeAction propose) {
        return Answer.done(known.computeIfAbsent(propose.proposalId(), _ -> made(propose)));
    }

    private Proposal made(ProposeAction propose) {
        ProposalId id = propose.proposalId();
        ProposalMade made =
                new ProposalMade(id, propose.action().userId(), propose.action(), propose.reason(), null, NEVER);
        events.publish(new GenericDomainEventMessage<>("proposal", id.text(), 0, made));
        return Proposal.evolve(null, made);
    }

    @CommandHandler
    Answer<Proposal> handle(AgreeToProposal agree) {
        String person = Actor.current().map(Actor::name).orElse(null);
        Proposal agreed = Proposal.evolve(find(agree), new ProposalAgreed(agree.proposalId(), null, null, person));
        known.put(agree.proposalId(), agreed);
        return Answer.done(agreed);
    }

    @CommandHandler
    Answer<Proposal> handle(DeclineProposal decline) {
        Proposal declined = Proposal.evolve(
                find(decline), new ProposalDeclined(decline.proposalId(), null, null, decline.reason()));
        known.put(decline.proposalId(), declined);
        return Answer.done(declined);
    }

    private Proposal find(ProposalCommand command) {
        String id = command.proposalId().text();
        return Optional.ofNullable(known.get(command.proposalId()))
                .orElseThrow(() -> new AggregateNotFoundException(id, "nobody has proposed it"));
    }
}
