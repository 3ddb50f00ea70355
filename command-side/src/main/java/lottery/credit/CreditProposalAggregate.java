package lottery.credit;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditProposal;
import lottery.api.credit.CreditProposalCommand.ConfirmCredits;
import lottery.api.credit.CreditProposalCommand.DeclineCredits;
import lottery.api.credit.CreditProposalCommand.ProposeCredits;
import lottery.api.credit.CreditProposalEvent;
import lottery.api.credit.CreditProposalEvent.CreditsConfirmed;
import lottery.api.credit.CreditProposalEvent.CreditsDeclined;
import lottery.api.credit.CreditProposalEvent.CreditsProposed;
import lottery.api.credit.CreditProposalState;
import lottery.store.trace.Actor;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** A proposed booking by hand. The booking is made when another person confirms the proposal. */
@Aggregate(type = "credit-proposal", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class CreditProposalAggregate {

    /**
     * How long a proposal waits. A week is long enough that weekends and short absences of the second person do not end
     * it.
     */
    private static final Duration WAIT_MAX = Duration.ofDays(7);

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable CreditProposal proposal;

    CreditProposalAggregate() {}

    /** Proposes the booking once. If a proposal has ended without a booking, its number cannot be used again. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<CreditProposal> handle(ProposeCredits propose, InstantSource clock) {
        Instant now = clock.instant();
        BookCredits booking = propose.booking();
        if (proposal == null) {
            CreditsProposed proposed = new CreditsProposed(
                    propose.proposalId(),
                    booking.userId(),
                    booking.amount(),
                    booking.businessNo(),
                    booking.reason(),
                    person(),
                    now.plus(WAIT_MAX).truncatedTo(ChronoUnit.SECONDS));
            apply(proposed);
            return Answer.done(CreditProposal.of(proposed));
        }
        if (proposal.amount().compareTo(booking.amount()) != 0) {
            return Answer.no(new Refused(Refusal.KEY_REUSED, booking.businessNo()));
        }
        CreditProposal known = proposal.at(now);
        return switch (known.state()) {
            case PROPOSED, BOOKED -> Answer.done(known);
            case DECLINED, EXPIRED -> Answer.no(notNow(known));
        };
    }

    /**
     * Makes the proposed booking, in the same unit of work. The sender must not be the person who has proposed the
     * booking. If callers are not authenticated, the persons cannot be compared, but two calls are still needed.
     */
    @CommandHandler
    Answer<CreditProposal> handle(ConfirmCredits confirm, CreditBooker creditBooker, InstantSource clock) {
        String person = person();
        return undecided(CreditProposalState.BOOKED, clock).then(known -> {
            if (known.state() == CreditProposalState.BOOKED) {
                return Answer.done(known);
            }
            if (person != null && person.equals(known.proposedBy())) {
                return Answer.no(new Refused(Refusal.FORBIDDEN, "credits (proposed by " + person + ")"));
            }
            // Somebody may have booked this business number alone in the meantime. Then this confirmation made no
            // booking, and is refused.
            return creditBooker
                    .book(known.booking())
                    .then(booked -> booked.isNew()
                            ? decided(new CreditsConfirmed(
                                    known.proposalId(),
                                    known.userId(),
                                    booked.entry().entry(),
                                    known.proposedBy(),
                                    person))
                            : Answer.no(new Refused(
                                    Refusal.KEY_REUSED, known.booking().businessNo())));
        });
    }

    @CommandHandler
    Answer<CreditProposal> handle(DeclineCredits decline, InstantSource clock) {
        return undecided(CreditProposalState.DECLINED, clock)
                .then(known -> known.state() == CreditProposalState.DECLINED
                        ? Answer.done(known)
                        : decided(new CreditsDeclined(known.proposalId(), known.userId(), person(), decline.reason())));
    }

    /**
     * Returns the proposal if it still waits, or if it has already ended in the wanted state. Otherwise the command is
     * refused.
     */
    private Answer<CreditProposal> undecided(CreditProposalState wanted, InstantSource clock) {
        CreditProposal known = proposal().at(clock.instant());
        return known.state() == CreditProposalState.PROPOSED || known.state() == wanted
                ? Answer.done(known)
                : Answer.no(notNow(known));
    }

    private Answer<CreditProposal> decided(CreditProposalEvent decision) {
        apply(decision);
        return Answer.done(proposal());
    }

    private static Refused notNow(CreditProposal known) {
        return new Refused(Refusal.PROPOSAL_STATE, "%s (%s)".formatted(known.proposalId(), known.state()));
    }

    private static @Nullable String person() {
        return Actor.current().map(Actor::name).orElse(null);
    }

    @EventSourcingHandler
    void on(CreditProposalEvent event) {
        id = event.proposalId().text();
        proposal = switch (event) {
            case CreditsProposed proposed -> CreditProposal.of(proposed);
            case CreditsConfirmed _, CreditsDeclined _ -> proposal().after(event);
        };
    }

    private CreditProposal proposal() {
        if (proposal == null) {
            throw new IllegalStateException("it begins with a proposal");
        }
        return proposal;
    }
}
