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
import org.axonframework.modelling.command.AggregateNotFoundException;

/** Replaces the proposals of the command side, which compare the persons and carry the actions out. */
class Proposals {

    private static final Instant NEVER = Instant.parse("9000-01-01T00:00:00Z");

    private final Map<ProposalId, Proposal> known = new ConcurrentHashMap<>();

    @CommandHandler
    Answer<Proposal> handle(ProposeAction propose) {
        ProposalId id = propose.proposalId();
        return Answer.done(known.computeIfAbsent(
                id,
                _ -> Proposal.evolve(
                        null,
                        new ProposalMade(
                                id, propose.action().userId(), propose.action(), propose.reason(), null, NEVER))));
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
