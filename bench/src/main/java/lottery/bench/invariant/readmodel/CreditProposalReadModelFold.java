package lottery.bench.invariant.readmodel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/** Folds a row for each booking that needs two persons. */
public final class CreditProposalReadModelFold implements ReadModelFold {

    private final CheckedUserShare share;
    private final Map<String, Map<String, String>> proposals = new HashMap<>();

    public CreditProposalReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_credit_proposal";
    }

    @Override
    public String sql() {
        return "SELECT proposal_id, position, user_id, amount, business_no, reason, state, proposed_by, decided_by,"
                + " declined_because, entry, first_position, "
                + MOMENT_SQL.formatted("proposed_at") + " AS proposed_at, "
                + MOMENT_SQL.formatted("expires_at") + " AS expires_at FROM view_credit_proposal WHERE "
                + share.sql("proposal_id");
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        return switch (event.name()) {
            case "proposal.credits-proposed" -> {
                proposals.put(event.payload().text("proposalId"), first(event));
                yield row(event, "PROPOSED", "proposedBy");
            }
            case "proposal.credits-confirmed" -> row(event, "BOOKED", "confirmedBy");
            case "proposal.credits-declined" -> row(event, "DECLINED", "declinedBy");
            default -> List.of();
        };
    }

    /**
     * Returns the row after an event. If a decision has no proposal before it, there is no row, and another invariant
     * reports that.
     */
    private List<FoldedRow> row(EventTableRow event, String state, String by) {
        ParsedEventPayload payload = event.payload();
        Map<String, String> columns = proposals.get(payload.text("proposalId"));
        if (columns == null) {
            return List.of();
        }
        columns.put("state", state);
        if (!state.equals("PROPOSED")) {
            columns.put("decided_by", text(payload, by));
            columns.put("entry", payload.has("entry") ? Long.toString(payload.number("entry")) : NOTHING);
            columns.put("declined_because", text(payload, "reason"));
        }
        return List.of(new FoldedRow(payload.text("proposalId"), event.position(), Map.copyOf(columns)));
    }

    private static Map<String, String> first(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        Map<String, String> columns = new HashMap<>();
        columns.put("user_id", payload.text("userId"));
        columns.put("amount", payload.text("amount"));
        columns.put("business_no", payload.text("businessNo"));
        columns.put("reason", text(payload, "reason"));
        columns.put("proposed_by", text(payload, "proposedBy"));
        columns.put("proposed_at", ReadModelFold.moment(event.at()));
        columns.put("expires_at", ReadModelFold.moment(payload.instant("expiresAt")));
        columns.put("decided_by", NOTHING);
        columns.put("declined_because", NOTHING);
        columns.put("entry", NOTHING);
        columns.put("first_position", Long.toString(event.position()));
        return columns;
    }

    private static String text(ParsedEventPayload payload, String field) {
        return payload.has(field) ? payload.text(field) : NOTHING;
    }
}
