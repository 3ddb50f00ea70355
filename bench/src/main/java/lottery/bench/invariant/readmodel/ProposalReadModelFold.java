package lottery.bench.invariant.readmodel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;

/** Folds a row for each action that needs two persons. */
public final class ProposalReadModelFold implements ReadModelFold {

    private final CheckedUserShare share;
    private final Map<String, Map<String, String>> proposals = new HashMap<>();

    public ProposalReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_proposal";
    }

    @Override
    public String sql() {
        return "SELECT proposal_id, position, state, made_position, " + MOMENT_SQL.formatted("expires_at")
                + " AS expires_at FROM view_proposal WHERE " + share.sql("proposal_id");
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        return switch (event.name()) {
            case "proposal.made" -> {
                Map<String, String> columns = new HashMap<>();
                columns.put("expires_at", ReadModelFold.moment(event.payload().instant("expiresAt")));
                columns.put("made_position", Long.toString(event.position()));
                proposals.put(event.payload().text("proposalId"), columns);
                yield row(event, "PROPOSED");
            }
            case "proposal.agreed" -> row(event, "AGREED");
            case "proposal.declined" -> row(event, "DECLINED");
            default -> List.of();
        };
    }

    /**
     * Returns the row after an event. If a decision has no proposal before it, there is no row, and another invariant
     * reports that.
     */
    private List<FoldedRow> row(EventTableRow event, String state) {
        String id = event.payload().text("proposalId");
        Map<String, String> columns = proposals.get(id);
        if (columns == null) {
            return List.of();
        }
        columns.put("state", state);
        return List.of(new FoldedRow(id, event.position(), Map.copyOf(columns)));
    }
}
