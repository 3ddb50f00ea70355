package lottery.credit;

import java.time.InstantSource;
import java.util.Optional;
import lottery.api.credit.CreditProposal;
import lottery.api.credit.CreditProposalEvent;
import lottery.api.credit.CreditProposalEvent.CreditsProposed;
import lottery.api.credit.CreditProposalId;
import lottery.store.log.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Reads proposed bookings from their events. */
@Component
class CreditProposalReader {

    private final EventStore events;
    private final InstantSource clock;

    CreditProposalReader(EventStore events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    /** Returns the proposal as it is now. */
    Optional<CreditProposal> find(CreditProposalId proposalId) {
        return EventStreams.<CreditProposal, CreditProposalEvent>fold(
                        events,
                        proposalId.text(),
                        (proposal, event) ->
                                proposal == null ? CreditProposal.of((CreditsProposed) event) : proposal.after(event))
                .map(known -> known.at(clock.instant()));
    }
}
