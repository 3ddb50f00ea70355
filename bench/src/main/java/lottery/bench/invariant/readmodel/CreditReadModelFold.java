package lottery.bench.invariant.readmodel;

import java.util.List;
import java.util.Map;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/** Folds a row for each booking of credits. */
public final class CreditReadModelFold implements ReadModelFold {

    private final CheckedUserShare share;

    public CreditReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_credit_entry";
    }

    @Override
    public String sql() {
        return "SELECT user_id || '#' || entry, entry - 1, amount, balance, business_no, reason, "
                + MOMENT_SQL.formatted("booked_at") + " AS booked_at FROM view_credit_entry";
    }

    /** Returns whether the user is in the share. In the key, the entry is a number, so the last # ends the user. */
    @Override
    public boolean has(String key) {
        return share.has(key.substring(0, key.lastIndexOf('#')));
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        if (!event.name().equals("credit.booked")) {
            return List.of();
        }
        ParsedEventPayload payload = event.payload();
        return List.of(new FoldedRow(
                payload.text("userId") + "#" + payload.number("entry"),
                event.sequence(),
                Map.of(
                        "amount", payload.text("amount"),
                        "balance", payload.text("balance"),
                        "business_no", payload.text("businessNo"),
                        "reason", payload.has("reason") ? payload.text("reason") : NOTHING,
                        "booked_at", ReadModelFold.moment(payload.instant("bookedAt")))));
    }
}
