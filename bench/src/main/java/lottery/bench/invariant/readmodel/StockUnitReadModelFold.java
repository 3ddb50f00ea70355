package lottery.bench.invariant.readmodel;

import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/** Folds the current holders of units of limited stocks. */
public final class StockUnitReadModelFold implements ReadModelFold {

    private static final String AWARD = "AWARD";
    private static final String SKU = "SKU";

    private final CheckedUserShare share;

    public StockUnitReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_unit";
    }

    @Override
    public String sql() {
        return "SELECT holder, position, activity_id, kind, number, unit FROM view_unit WHERE " + share.sql("holder");
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        boolean takes = !taker(event).isEmpty() && payload.has("unit");
        return takes
                ? List.of(new FoldedRow(taker(event), event.position(), columns(event.name(), payload)))
                : List.of();
    }

    @Override
    public Set<String> gone(EventTableRow event) {
        return switch (event.name()) {
            case "award.forfeited", "award.voided", "award.compensated" ->
                Set.of(event.payload().text("awardRecordId"));
            case "recharge.closed" -> Set.of(event.payload().text("rechargeId"));
            default -> Set.of();
        };
    }

    /** Returns the id of the holder that takes a unit by this event; empty if the event takes no unit. */
    private static String taker(EventTableRow event) {
        return switch (event.name()) {
            case "award.won" -> event.payload().text("awardRecordId");
            case "recharge.ordered", "recharge.completed" -> event.payload().text("rechargeId");
            default -> "";
        };
    }

    private static Map<String, String> columns(String event, ParsedEventPayload payload) {
        boolean award = event.equals("award.won");
        long number = award ? payload.in("award").number("awardId") : payload.number("sku");
        return Map.of(
                "activity_id", Long.toString(payload.number("activityId")),
                "kind", award ? AWARD : SKU,
                "number", Long.toString(number),
                "unit", Long.toString(payload.number("unit")));
    }
}
