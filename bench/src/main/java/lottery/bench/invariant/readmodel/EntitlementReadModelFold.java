package lottery.bench.invariant.readmodel;

import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/** Folds a row for each content that a user may read. The row goes with the last source of the entitlement. */
public final class EntitlementReadModelFold implements ReadModelFold {

    private final CheckedUserShare share;

    public EntitlementReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_entitlement";
    }

    @Override
    public String sql() {
        return "SELECT user_id || '#' || content_id, first_position, " + MOMENT_SQL.formatted("granted_at")
                + " AS granted_at FROM view_entitlement";
    }

    /** Returns whether the user is in the share. No content id has a #, so the last # ends the user. */
    @Override
    public boolean has(String key) {
        return share.has(key.substring(0, key.lastIndexOf('#')));
    }

    private static String key(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        return payload.text("userId") + "#" + payload.text("contentId");
    }

    @Override
    public Set<String> gone(EventTableRow event) {
        return event.name().equals("entitlement.revoked") && event.payload().flag("last")
                ? Set.of(key(event))
                : Set.of();
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        return event.name().equals("entitlement.granted") && event.payload().flag("first")
                ? List.of(new FoldedRow(
                        key(event), event.position(), Map.of("granted_at", ReadModelFold.moment(event.at()))))
                : List.of();
    }
}
