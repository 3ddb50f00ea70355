package lottery.bench.invariant.award;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * I1: of a limited stock, never more units are taken than the stock had at its largest size so far.
 *
 * <p>Draws take units of awards. Such a unit is returned when the award is forfeited, voided or compensated. Recharges
 * take units of SKUs, which are returned when the recharge is closed. Chances take participations of an activity. A
 * participation is returned only if the chance is returned before a draw, because a user who has drawn has
 * participated.
 */
public final class StockInvariant implements Invariant {

    private static final Pattern UNIT_NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

    private final FindingTally tally = new FindingTally();
    private final StockKindInvariant awards = new StockKindInvariant("stock:", tally);
    private final StockKindInvariant skus = new StockKindInvariant("sku:", tally);
    private final StockKindInvariant participations = new StockKindInvariant("participations:", tally);

    /** Awards with a limited stock, by strategy, version and award. */
    private final Set<String> limitedAwards = new HashSet<>();

    /** The largest stock of any version so far, by strategy and award. */
    private final Map<String, Long> stocks = new HashMap<>();

    /** Stocks of SKUs and participations that are limited by the activity's definition at this point of the log. */
    private final Set<String> limited = new HashSet<>();

    private final Set<String> drawn = new HashSet<>();
    private final Set<String> entered = new HashSet<>();

    /** The strategy of each activity, as it is defined at this point of the log. */
    private final Map<Long, Long> strategies = new HashMap<>();

    private StockInvariant() {}

    public static StockInvariant read(Connection connection, CheckedUserShare share) throws SQLException {
        StockInvariant stock = new StockInvariant();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery(
                    "SELECT holder, scope, key FROM claim WHERE scope ~ '^(stock|sku|participations):' AND "
                            + share.sql("holder") + " ORDER BY 2, 3")) {
                while (rows.next()) {
                    stock.claimed(rows.getString(1), rows.getString(2), rows.getString(3));
                }
            }
        }
        return stock;
    }

    /**
     * Records which holder has a unit. The claim of a unit is named after the unit. A claim has one holder, so no unit
     * can have two.
     */
    private void claimed(String holder, String stock, String unit) {
        if (!UNIT_NUMBER.matcher(unit).matches()) {
            tally.violated("%s has unit '%s' of %s, which is no number".formatted(holder, unit, stock));
            return;
        }
        int number = Integer.parseInt(unit);
        List.of(awards, skus, participations).stream()
                .filter(kind -> kind.has(stock))
                .forEach(kind -> kind.claimed(holder, stock, number));
    }

    @Override
    public void accept(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "strategy.defined", "strategy.revised" -> awardsDefined(payload);
            case "activity.created", "activity.edited" -> activityDefined(payload);
            case "raffle.drawn" -> drawn(event);
            case "raffle.entered" -> entered.add(payload.text("orderId"));
            case "award.won" -> won(event);
            case "award.forfeited", "award.voided", "award.compensated" -> awards.gives(orderOf(payload));
            case "recharge.ordered", "recharge.completed" -> taken(skus, skuOf(payload), "rechargeId", event);
            case "recharge.closed" -> skus.gives(payload.text("rechargeId"));
            case "account.chance-spent" ->
                taken(participations, participations.stock(payload.number("activityId")), "orderId", event);
            case "account.chance-returned" -> {
                if (!drawn.contains(payload.text("orderId"))) {
                    participations.gives(payload.text("orderId"));
                }
            }
            default -> {
                // No other event defines a stock, takes a unit or returns one.
            }
        }
    }

    private void awardsDefined(ParsedEventPayload payload) {
        long strategy = payload.number("strategyId");
        long version = payload.number("version");
        for (ParsedEventPayload award : payload.in("definition").each("awards")) {
            if (award.has("stock")) {
                long id = award.number("awardId");
                limitedAwards.add(strategy + "/" + version + "/" + id);
                stocks.merge(strategy + "/" + id, award.number("stock"), Math::max);
            }
        }
    }

    private void activityDefined(ParsedEventPayload payload) {
        long activity = payload.number("activityId");
        ParsedEventPayload definition = payload.in("definition");
        strategies.put(activity, definition.number("strategyId"));
        limit(participations, participations.stock(activity), definition, "participationsMax");
        limited.removeIf(stock -> stock.startsWith(skus.stock(activity + "/")));
        definition
                .each("skus")
                .forEach(sku -> limit(skus, skus.stock(activity + "/" + sku.number("sku")), sku, "stock"));
    }

    private void limit(StockKindInvariant kind, String stock, ParsedEventPayload definition, String field) {
        if (definition.has(field)) {
            limited.add(stock);
            kind.total(stock, definition.number(field));
        } else {
            limited.remove(stock);
        }
    }

    private void drawn(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        drawn.add(payload.text("orderId"));
        if (payload.has("award")) {
            long strategy = payload.number("strategyId");
            long award = payload.in("award").number("awardId");
            String stock = awards.stock(payload.number("activityId") + "/" + award);
            awards.total(stock, stocks.getOrDefault(strategy + "/" + award, 0L));
            boolean isLimited =
                    limitedAwards.contains(strategy + "/" + payload.number("strategyVersion") + "/" + award);
            awards.takes(payload.text("orderId"), stock, isLimited, event.position());
        }
    }

    /**
     * Records the unit that a win takes. An award that compensates another one has no limited stock, so it takes no
     * unit.
     */
    private void won(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        if (entered.contains(orderOf(payload))) {
            wonByEntry(event);
        }
        if (!payload.has("insteadOf")) {
            awards.says(orderOf(payload), payload, event.position());
        } else if (payload.has("unit")) {
            tally.violated("%s is won instead of %s at event %d and says unit %d"
                    .formatted(
                            payload.text("awardRecordId"),
                            payload.text("insteadOf"),
                            event.position(),
                            payload.number("unit")));
        }
    }

    /** Records the unit that the win of an entry takes. Each win in a pool takes a unit. */
    private void wonByEntry(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        long activity = payload.number("activityId");
        long award = payload.in("award").number("awardId");
        String stock = awards.stock(activity + "/" + award);
        awards.total(stock, stocks.getOrDefault(strategies.getOrDefault(activity, 0L) + "/" + award, 0L));
        awards.takes(orderOf(payload), stock, true, event.position());
    }

    private static String orderOf(ParsedEventPayload award) {
        return "order:" + EventTableRow.key(award.text("awardRecordId"));
    }

    private String skuOf(ParsedEventPayload payload) {
        return skus.stock(payload.number("activityId") + "/" + payload.number("sku"));
    }

    private void taken(StockKindInvariant kind, String stock, String holder, EventTableRow event) {
        String taker = event.payload().text(holder);
        kind.takes(taker, stock, limited.contains(stock), event.position());
        kind.says(taker, event.payload(), event.position());
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        awards.verdict();
        skus.verdict();
        participations.verdict();
        return tally.verdict("I1", "no more is taken than there is");
    }
}
