package lottery.bench.invariant.readmodel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * Folds a row for each recharge. Later events change only its state; the other columns keep the values of the first
 * event.
 */
public final class RechargeReadModelFold implements ReadModelFold {

    private final CheckedUserShare share;
    private final Map<String, Map<String, String>> recharges = new HashMap<>();

    public RechargeReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_recharge";
    }

    @Override
    public String sql() {
        return "SELECT recharge_id, position, activity_id, user_id, first_position, sku, out_business_no, state,"
                + " total, month, day, " + MOMENT_SQL.formatted("ordered_at") + " AS ordered_at, "
                + MOMENT_SQL.formatted("pay_by") + " AS pay_by FROM view_recharge WHERE " + share.sql("recharge_id");
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        return switch (event.name()) {
            case "recharge.ordered" -> row(event, "WAITING");
            case "recharge.completed" -> row(event, "COMPLETED");
            case "recharge.closed" -> row(event, "CLOSED");
            default -> List.of();
        };
    }

    private List<FoldedRow> row(EventTableRow event, String state) {
        String key = event.payload().text("rechargeId");
        Map<String, String> columns = recharges.get(key);
        if (columns == null) {
            // A recharge whose first event is its end has no facts, and another invariant reports it.
            if (state.equals("CLOSED")) {
                return List.of();
            }
            columns = first(event);
            recharges.put(key, columns);
        }
        columns.put("state", state);
        return List.of(new FoldedRow(key, event.position(), Map.copyOf(columns)));
    }

    private static Map<String, String> first(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        ParsedEventPayload bundle = payload.in("bundle");
        Map<String, String> columns = new HashMap<>();
        columns.put("activity_id", Long.toString(payload.number("activityId")));
        columns.put("user_id", payload.text("userId"));
        columns.put("first_position", Long.toString(event.position()));
        columns.put("sku", Long.toString(payload.number("sku")));
        columns.put("out_business_no", payload.text("outBusinessNo"));
        columns.put("total", Long.toString(bundle.number("total")));
        columns.put("month", Long.toString(bundle.number("month")));
        columns.put("day", Long.toString(bundle.number("day")));
        columns.put("ordered_at", ReadModelFold.moment(event.at()));
        columns.put("pay_by", payload.has("payBy") ? ReadModelFold.moment(payload.instant("payBy")) : NOTHING);
        return columns;
    }
}
