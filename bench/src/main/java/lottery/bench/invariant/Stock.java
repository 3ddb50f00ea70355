package lottery.bench.invariant;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * I1: of a limited award no more is taken than there ever was. Each slot that is claimed is one of 1 to the largest
 * stock that a version of the strategy gives the award, and belongs to a draw that won it; each draw that won a limited
 * award has one slot.
 */
final class Stock implements Invariant {

    private static final String SHELF = "stock:";

    /** A slot, as the table has it. */
    private record Slot(String shelf, int number) {}

    /**
     * What a draw won.
     *
     * @param shelf of the award, whether it is limited or not
     */
    private record Won(long position, String shelf, long strategy, long version, long award) {}

    private final Tally tally = new Tally();
    private final Map<String, Slot> slots = new LinkedHashMap<>();
    private final Map<String, Won> draws = new LinkedHashMap<>();

    /** By strategy, version and award; missing: without a limit. */
    private final Map<String, Long> limits = new HashMap<>();

    /** By strategy and award. */
    private final Map<String, Long> largest = new HashMap<>();

    private Stock() {}

    static Stock read(Connection connection) throws SQLException {
        Stock stock = new Stock();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT holder, scope, key::int FROM claim WHERE starts_with(scope, 'stock:')")) {
            while (rows.next()) {
                stock.claimed(rows.getString(1), new Slot(rows.getString(2), rows.getInt(3)));
            }
        }
        return stock;
    }

    private void claimed(String order, Slot slot) {
        Slot other = slots.put(order, slot);
        if (other != null) {
            tally.violated("%s has slot %d of %s and slot %d of %s"
                    .formatted(order, other.number(), other.shelf(), slot.number(), slot.shelf()));
        }
    }

    @Override
    public void see(Event event) {
        Document payload = event.payload();
        switch (event.name()) {
            case "strategy.defined", "strategy.revised" ->
                payload.in("definition").each("awards").stream()
                        .filter(award -> award.has("stock"))
                        .forEach(award -> limited(payload, award));
            case "raffle.drawn" -> {
                if (payload.has("award")) {
                    long award = payload.in("award").number("awardId");
                    draws.put(
                            payload.text("orderId"),
                            new Won(
                                    event.position(),
                                    SHELF + payload.number("activityId") + "/" + award,
                                    payload.number("strategyId"),
                                    payload.number("strategyVersion"),
                                    award));
                }
            }
            default -> {
                // Nothing else has a stock, or takes of it.
            }
        }
    }

    private void limited(Document payload, Document award) {
        long strategy = payload.number("strategyId");
        long stock = award.number("stock");
        limits.put(key(strategy, payload.number("version"), award.number("awardId")), stock);
        largest.merge(strategy + "/" + award.number("awardId"), stock, Math::max);
    }

    private static String key(long strategy, long version, long award) {
        return strategy + "/" + version + "/" + award;
    }

    @Override
    public Verdict verdict(Moment moment) {
        slots.forEach(this::requireDraw);
        draws.forEach((order, won) -> {
            if (limits.containsKey(key(won.strategy(), won.version(), won.award())) && !slots.containsKey(order)) {
                tally.violated("%s won award %d at event %d and has no slot of it"
                        .formatted(order, won.award(), won.position()));
            }
        });
        return tally.verdict("I1", "no more is won of an award than there is");
    }

    private void requireDraw(String order, Slot slot) {
        tally.checked();
        Won won = draws.get(order);
        if (won == null || !won.shelf().equals(slot.shelf())) {
            tally.violated(
                    "slot %d of %s belongs to %s, which did not win it".formatted(slot.number(), slot.shelf(), order));
            return;
        }
        long total = largest.getOrDefault(won.strategy() + "/" + won.award(), 0L);
        if (slot.number() < 1 || slot.number() > total) {
            tally.violated(
                    "%s has slot %d of %s, of which there are %d".formatted(order, slot.number(), slot.shelf(), total));
        }
    }
}
