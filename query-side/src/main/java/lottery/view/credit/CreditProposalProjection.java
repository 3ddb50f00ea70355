package lottery.view.credit;

import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.credit.CreditProposalEvent;
import lottery.api.credit.CreditProposalEvent.CreditsConfirmed;
import lottery.api.credit.CreditProposalEvent.CreditsDeclined;
import lottery.api.credit.CreditProposalEvent.CreditsProposed;
import lottery.api.credit.CreditProposalState;
import lottery.store.projection.Projection;
import lottery.view.credit.CreditProposalProjection.CreditProposalColumns;
import lottery.view.credit.CreditProposalProjection.CreditProposalRowKey;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.Timestamp;
import org.axonframework.eventhandling.TrackingToken;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects each booking that needs two persons to a row. The audit trail is not enough for this, because it leaves out
 * the bookings of callers who were not authenticated.
 */
@Component
@ProcessingGroup(CreditProposalProjection.GROUP)
class CreditProposalProjection extends Projection<CreditProposalRowKey, CreditProposalColumns> {

    static final String GROUP = "credit-proposals";

    record CreditProposalRowKey(String proposalId) {}

    /**
     * The columns of a proposal's row besides its key.
     *
     * @param state the state by the events; an expired proposal still has the state PROPOSED, because no event is
     *     stored when it expires
     * @param firstPosition the position of its first event, by which proposals are listed
     */
    record CreditProposalColumns(
            String userId,
            BigDecimal amount,
            String businessNo,
            @Nullable String reason,
            CreditProposalState state,
            @Nullable String proposedBy,
            Instant proposedAt,
            Instant expiresAt,
            @Nullable String decidedBy,
            @Nullable String declinedBecause,
            @Nullable Long entry,
            long firstPosition) {

        static CreditProposalColumns after(
                @Nullable CreditProposalColumns before, CreditProposalEvent event, long position, Instant at) {
            return switch (event) {
                case CreditsProposed proposed ->
                    new CreditProposalColumns(
                            proposed.userId().value(),
                            proposed.amount(),
                            proposed.businessNo(),
                            proposed.reason(),
                            CreditProposalState.PROPOSED,
                            proposed.proposedBy(),
                            at,
                            proposed.expiresAt(),
                            null,
                            null,
                            null,
                            position);
                case CreditsConfirmed confirmed ->
                    known(before, event)
                            .with(CreditProposalState.BOOKED, confirmed.confirmedBy(), null, confirmed.entry());
                case CreditsDeclined declined ->
                    known(before, event)
                            .with(CreditProposalState.DECLINED, declined.declinedBy(), declined.reason(), null);
            };
        }

        private static CreditProposalColumns known(@Nullable CreditProposalColumns before, CreditProposalEvent event) {
            if (before == null) {
                throw new IllegalStateException(event.proposalId() + " was decided before it was proposed");
            }
            return before;
        }

        private CreditProposalColumns with(
                CreditProposalState next, @Nullable String decider, @Nullable String because, @Nullable Long booked) {
            return new CreditProposalColumns(
                    userId,
                    amount,
                    businessNo,
                    reason,
                    next,
                    proposedBy,
                    proposedAt,
                    expiresAt,
                    decider,
                    because,
                    booked,
                    firstPosition);
        }
    }

    CreditProposalProjection(JdbcOperations database) {
        super(database, "view_credit_proposal", CreditProposalRowKey.class, CreditProposalColumns.class);
    }

    @EventHandler
    void on(CreditProposalEvent event, TrackingToken token, @Timestamp Instant at) {
        long position = token.position().orElseThrow();
        change(
                new CreditProposalRowKey(event.proposalId().text()),
                before -> CreditProposalColumns.after(before, event, position, at));
    }
}
