package lottery.view.proposal;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalEvent;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposalPage;
import lottery.api.proposal.ProposalState;
import lottery.store.axon.EventStreams;
import lottery.store.log.MergedPages;
import lottery.store.log.MergedPages.MergedItem;
import lottery.store.log.MergedPages.MergedPage;
import lottery.view.Query;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads proposals. The read model says which belong to a page, and the log says what they are now. */
@Component
class ProposalReader {

    /**
     * Asks for proposals, the newest first.
     *
     * @param state the state of the proposals that are asked for; null for all
     * @param role only proposals to which this role agrees; null for all
     * @param cursor where the previous page ended; null for the first page
     */
    record FindProposals(
            @Nullable ProposalState state,
            @Nullable String role,
            @Nullable String cursor,
            int limit) implements Query<ProposalPage> {}

    private record ProposalPosition(ProposalId proposalId, long position, Instant at) implements MergedItem {}

    private final JdbcClient database;
    private final EventStore events;
    private final MergedPages pages;
    private final InstantSource clock;

    ProposalReader(JdbcClient database, EventStore events, MergedPages pages, InstantSource clock) {
        this.database = database;
        this.events = events;
        this.pages = pages;
        this.clock = clock;
    }

    /** Returns the proposal as it is now. */
    Optional<Proposal> find(ProposalId proposalId) {
        return EventStreams.<Proposal, ProposalEvent>fold(events, proposalId.text(), Proposal::evolve)
                .map(known -> known.at(clock.instant()));
    }

    ProposalPage answer(FindProposals query) {
        MergedPage<ProposalPosition> page =
                pages.read(query.cursor(), query.limit(), (below, max) -> list(query.state(), below, max));
        List<Proposal> items = page.items().stream()
                .flatMap(each -> find(each.proposalId()).stream())
                .filter(proposal -> query.state() == null || query.state() == proposal.state())
                .filter(proposal -> query.role() == null
                        || query.role().equals(proposal.action().kind().role()))
                .toList();
        return new ProposalPage(items, page.next());
    }

    private List<ProposalPosition> list(@Nullable ProposalState state, long below, int max) {
        return database.sql(page(state))
                .param("now", clock.instant().atOffset(ZoneOffset.UTC))
                .param("below", below)
                .param("max", max)
                .query((row, _) -> new ProposalPosition(
                        ProposalId.of(row.getString("proposal_id")),
                        row.getLong("made_position"),
                        row.getTimestamp("made_at").toInstant()))
                .list();
    }

    private static String page(@Nullable ProposalState state) {
        return """
                SELECT proposal_id, made_position,
                       coalesce((SELECT at FROM event WHERE event.position = made_position), 'epoch') AS made_at
                FROM view_proposal
                WHERE made_position < :below %s
                ORDER BY made_position DESC LIMIT :max""".formatted(filter(state));
    }

    /** Returns the condition that selects proposals in a state. An index supports it. */
    private static String filter(@Nullable ProposalState state) {
        return switch (state) {
            case null -> "";
            case PROPOSED -> "AND state = 'PROPOSED' AND expires_at > :now";
            case EXPIRED -> "AND state = 'PROPOSED' AND expires_at <= :now";
            case AGREED -> "AND state = 'AGREED'";
            case DECLINED -> "AND state = 'DECLINED'";
        };
    }
}
