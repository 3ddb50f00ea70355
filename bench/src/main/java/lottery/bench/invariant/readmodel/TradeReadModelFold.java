package lottery.bench.invariant.readmodel;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/** Folds a row for each trade of a provider, from which statements are compared and trades are exported. */
public final class TradeReadModelFold implements ReadModelFold {

    private static final String TAKEN = "payment.money-taken";

    /** The state after each event. */
    private static final Map<String, String> STATES = Map.of(
            TAKEN,
            "TAKEN",
            "payment.delivered",
            "DELIVERED",
            "payment.refund-ordered",
            "REFUND_DUE",
            "payment.refunded",
            "REFUNDED",
            "payment.left-to-desk",
            "ON_DESK");

    private final CheckedUserShare share;

    /** By trade: its amount and currency, its time, and its payment. */
    private final Map<String, String> money = new HashMap<>();

    public TradeReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_trade";
    }

    @Override
    public String sql() {
        return "SELECT provider || '/' || trade_no || ' ' || user_id, position, trim_scale(amount) || ' ' || currency"
                + " || ' at ' || " + MOMENT_SQL.formatted("taken_at") + " || ' for ' || payment_id AS money, state, "
                + MOMENT_SQL.formatted("refunded_at") + " AS refunded_at FROM view_trade";
    }

    /** Returns whether the user is in the share. No trade has a blank, so the first one begins the user. */
    @Override
    public boolean has(String key) {
        return share.has(key.substring(key.indexOf(' ') + 1));
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        @Nullable String state = STATES.get(event.name());
        if (state == null) {
            return List.of();
        }
        ParsedEventPayload payload = event.payload();
        ParsedEventPayload trade = payload.in("trade");
        String key = trade.text("provider") + "/" + trade.text("tradeNo") + " " + payload.text("userId");
        if (event.name().equals(TAKEN)) {
            money.put(
                    key,
                    "%s at %s for %s"
                            .formatted(
                                    text(payload.in("money")),
                                    ReadModelFold.moment(payload.instant("takenAt")),
                                    event.stream()));
        }
        return List.of(new FoldedRow(
                key,
                event.position(),
                Map.of(
                        "money",
                        Objects.requireNonNullElse(money.get(key), NOTHING),
                        "state",
                        state,
                        "refunded_at",
                        state.equals("REFUNDED") ? ReadModelFold.moment(event.at()) : NOTHING)));
    }

    private static String text(ParsedEventPayload amount) {
        BigDecimal plain = amount.decimal("amount").stripTrailingZeros();
        return plain.setScale(Math.max(0, plain.scale())).toPlainString() + " " + amount.text("currency");
    }
}
