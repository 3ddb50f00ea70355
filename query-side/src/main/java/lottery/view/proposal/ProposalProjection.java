package lottery.view.proposal;

import java.time.Instant;
import lottery.api.proposal.ProposalEvent;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalState;
import lottery.store.projection.Projection;
import lottery.view.proposal.ProposalProjection.ProposalColumns;
import lottery.view.proposal.ProposalProjection.ProposalRowKey;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackingToken;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Projects the order and the states of proposals. What they propose is read from the log. */
@Component
@ProcessingGroup(ProposalProjection.GROUP)
class ProposalProjection extends Projection<ProposalRowKey, ProposalColumns> {

    static final String GROUP = "proposals";

    record ProposalRowKey(String proposalId) {}

    /**
     * The columns of a proposal's row besides its key.
     *
     * @param state the state by the events; an expired proposal still has the state PROPOSED, because no event is
     *     stored when it expires
     * @param madePosition the position of the event that has proposed it last, by which proposals are listed
     */
    record ProposalColumns(ProposalState state, Instant expiresAt, long madePosition) {

        static ProposalColumns after(@Nullable ProposalColumns before, ProposalEvent event, long position) {
            return switch (event) {
                case ProposalMade made -> new ProposalColumns(ProposalState.PROPOSED, made.expiresAt(), position);
                case ProposalAgreed _ -> known(before, event).with(ProposalState.AGREED);
                case ProposalDeclined _ -> known(before, event).with(ProposalState.DECLINED);
            };
        }

        private static ProposalColumns known(@Nullable ProposalColumns before, ProposalEvent event) {
            if (before == null) {
                throw new IllegalStateException(event.proposalId() + " was decided before it was made");
            }
            return before;
        }

        private ProposalColumns with(ProposalState next) {
            return new ProposalColumns(next, expiresAt, madePosition);
        }
    }

    ProposalProjection(JdbcOperations database) {
        super(database, "view_proposal", ProposalRowKey.class, ProposalColumns.class);
    }

    @EventHandler
    void on(ProposalEvent event, TrackingToken token) {
        long position = token.position().orElseThrow();
        change(new ProposalRowKey(event.proposalId().text()), before -> ProposalColumns.after(before, event, position));
    }
}
