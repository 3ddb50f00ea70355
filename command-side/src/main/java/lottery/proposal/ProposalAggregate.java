package lottery.proposal;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lottery.SecondPerson;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.DeclineProposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalEvent;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedActionKind;
import lottery.store.trace.Actor;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** An action that one person has proposed. It is carried out when another person agrees. */
@Aggregate(type = "proposal", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class ProposalAggregate {

    /** A week is long enough that weekends and short absences of the second person do not end a proposal. */
    private static final Duration WAIT_MAX = Duration.ofDays(7);

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable Proposal proposal;

    ProposalAggregate() {}

    /**
     * Proposes the action, unless it waits already or was carried out. A proposal of an unknown person is made anew by
     * a known one, because no known person can agree to it.
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<Proposal> handle(ProposeAction propose, InstantSource clock) {
        Instant now = clock.instant();
        Proposal known = proposal == null ? null : proposal.at(now);
        if (known == null) {
            return made(propose, now);
        }
        if (!known.action().equals(propose.action())) {
            return Answer.no(new Refused(
                    Refusal.KEY_REUSED, Objects.toString(propose.action().businessNo())));
        }
        return switch (known.state()) {
            case PROPOSED ->
                known.proposedBy() == null && SecondPerson.name().isPresent() ? made(propose, now) : Answer.done(known);
            case AGREED -> Answer.done(known);
            // A program repeats the request for a booking, so a person's "no" has to stay.
            case DECLINED, EXPIRED ->
                propose.action().kind() == ProposedActionKind.BOOK_CREDITS
                        ? Answer.no(notNow(known))
                        : made(propose, now);
        };
    }

    private Answer<Proposal> made(ProposeAction propose, Instant now) {
        return decided(new ProposalMade(
                propose.proposalId(),
                propose.action().userId(),
                propose.action(),
                propose.reason(),
                SecondPerson.name().orElse(null),
                now.plus(WAIT_MAX).truncatedTo(ChronoUnit.SECONDS)));
    }

    /** Carries the action out in the same unit of work. If the action is refused, the proposal still waits. */
    @CommandHandler
    Answer<Proposal> handle(AgreeToProposal agree, ProposedActionExecutor actions, InstantSource clock) {
        return undecided(ProposalState.AGREED, clock).then(known -> {
            if (known.state() == ProposalState.AGREED) {
                // The caller does again what follows the agreement. So not everybody may ask for it.
                return otherPerson(known).then(_ -> Answer.done(known));
            }
            return otherPerson(known)
                    .then(person -> actions.execute(known, AggregateLifecycle.getVersion())
                            .then(_ -> decided(new ProposalAgreed(
                                    known.proposalId(),
                                    known.action().userId(),
                                    known.proposedBy(),
                                    person.orElse(null)))));
        });
    }

    /**
     * Returns the person who agrees, or a refusal. A known person cannot agree to the proposal of an unknown one,
     * because both may be the same person.
     */
    private static Answer<Optional<String>> otherPerson(Proposal known) {
        String proposer = known.proposedBy();
        if (!mayDecide(known) || (proposer == null && SecondPerson.name().isPresent())) {
            return Answer.no(
                    new Refused(Refusal.FORBIDDEN, known.action().kind().name()));
        }
        return SecondPerson.agreeing(
                known.action().kind().name(), "proposed", proposer == null ? List.of() : List.of(proposer));
    }

    /** Ends the proposal. Its proposer may take it back. */
    @CommandHandler
    Answer<Proposal> handle(DeclineProposal decline, InstantSource clock) {
        return undecided(ProposalState.DECLINED, clock).then(known -> {
            if (known.state() == ProposalState.DECLINED) {
                return Answer.done(known);
            }
            Optional<String> person = SecondPerson.name();
            if (!mayDecide(known) && !person.equals(Optional.ofNullable(known.proposedBy()))) {
                return Answer.no(
                        new Refused(Refusal.FORBIDDEN, known.action().kind().name()));
            }
            return decided(new ProposalDeclined(
                    known.proposalId(), known.action().userId(), person.orElse(null), decline.reason()));
        });
    }

    private static boolean mayDecide(Proposal known) {
        return Actor.current()
                .map(actor -> actor.roles().contains(known.action().kind().role()))
                .orElse(true);
    }

    /**
     * Returns the proposal if it still waits, or if it has already ended in the wanted state. Otherwise the command is
     * refused.
     */
    private Answer<Proposal> undecided(ProposalState wanted, InstantSource clock) {
        Proposal known = proposal().at(clock.instant());
        return known.state() == ProposalState.PROPOSED || known.state() == wanted
                ? Answer.done(known)
                : Answer.no(notNow(known));
    }

    private Answer<Proposal> decided(ProposalEvent event) {
        apply(event);
        return Answer.done(proposal());
    }

    private static Refused notNow(Proposal known) {
        return new Refused(Refusal.PROPOSAL_STATE, "%s (%s)".formatted(known.proposalId(), known.state()));
    }

    @EventSourcingHandler
    void on(ProposalEvent event) {
        id = event.proposalId().text();
        proposal = Proposal.evolve(proposal, event);
    }

    private Proposal proposal() {
        if (proposal == null) {
            throw new IllegalStateException("it begins with an action that is proposed");
        }
        return proposal;
    }
}
