package lottery.view.credit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import lottery.api.UserId;
import lottery.api.credit.CreditProposalId;
import lottery.api.credit.CreditProposalPage;
import lottery.api.credit.CreditProposalPage.ListedCreditProposal;
import lottery.api.credit.CreditProposalState;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Lists the bookings that need two persons. */
@Component
class CreditProposalListReader {

    /**
     * Asks for proposed bookings, the newest first.
     *
     * @param state the state of the bookings that are asked for; null for all
     * @param cursor where the previous page ended; null for the first page
     */
    record FindCreditProposals(
            @Nullable CreditProposalState state, @Nullable String cursor, int limit)
            implements Query<CreditProposalPage> {}

    private final JdbcClient database;
    private final InstantSource clock;

    CreditProposalListReader(JdbcClient database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    private record PositionedProposal(long firstPosition, ListedCreditProposal proposal) {

        String cursor() {
            return new PageCursor(firstPosition).text();
        }
    }

    CreditProposalPage answer(FindCreditProposals query) {
        CreditProposalState state = query.state();
        List<PositionedProposal> found = database.sql(page(state))
                .param("now", clock.instant().atOffset(ZoneOffset.UTC))
                .param("below", PageCursor.below(query.cursor()))
                .param("max", query.limit() + 1)
                .query((row, _) -> found(row))
                .list();
        Page<PositionedProposal> page = Paging.pageOf(found, query.limit(), PositionedProposal::cursor);
        return new CreditProposalPage(page.each(PositionedProposal::proposal), page.next());
    }

    /**
     * Returns the statement for a page of proposals. No event is stored when a proposal expires, so the statement
     * compares the expiry time in the row with the current time.
     */
    private static String page(@Nullable CreditProposalState state) {
        return """
                SELECT *, CASE WHEN state = 'PROPOSED' AND expires_at <= :now THEN 'EXPIRED' ELSE state END AS state_now
                FROM view_credit_proposal WHERE first_position < :below %s
                ORDER BY first_position DESC LIMIT :max""".formatted(filter(state));
    }

    /** Returns the condition that selects proposals in a state. An index supports it. */
    private static String filter(@Nullable CreditProposalState state) {
        if (state == null) {
            return "";
        }
        return switch (state) {
            case PROPOSED -> "AND state = 'PROPOSED' AND expires_at > :now";
            case EXPIRED -> "AND state = 'PROPOSED' AND expires_at <= :now";
            case BOOKED -> "AND state = 'BOOKED'";
            case DECLINED -> "AND state = 'DECLINED'";
        };
    }

    private static PositionedProposal found(ResultSet row) throws SQLException {
        return new PositionedProposal(
                row.getLong("first_position"),
                new ListedCreditProposal(
                        CreditProposalId.of(row.getString("proposal_id")),
                        new UserId(row.getString("user_id")),
                        row.getBigDecimal("amount"),
                        row.getString("business_no"),
                        row.getString("reason"),
                        CreditProposalState.valueOf(row.getString("state_now")),
                        row.getString("proposed_by"),
                        row.getObject("proposed_at", OffsetDateTime.class).toInstant(),
                        row.getObject("expires_at", OffsetDateTime.class).toInstant(),
                        row.getString("decided_by"),
                        row.getString("declined_because"),
                        row.getObject("entry", Long.class)));
    }
}
