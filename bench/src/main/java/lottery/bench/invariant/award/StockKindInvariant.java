package lottery.bench.invariant.award;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/**
 * Checks the stocks of one kind, for example of SKUs. Each holder has one unit, which is the same in the table of
 * claims and in the events. The number of the unit is between 1 and the largest size that the stock had when the unit
 * was taken.
 */
final class StockKindInvariant {

    /** A unit that a holder has in the table of claims. */
    private record NamedUnit(String stock, int number) {}

    /**
     * A holder that takes a unit of a stock.
     *
     * @param limited whether the stock is limited, so that a unit has to be taken
     * @param most the largest size of the stock until the unit was taken
     */
    private record UnitTaker(long position, String stock, boolean limited, long most) {}

    private static final long NO_UNIT = 0;

    private final String prefix;
    private final FindingTally tally;
    private final Map<String, NamedUnit> claims = new LinkedHashMap<>();
    private final Map<String, UnitTaker> takers = new LinkedHashMap<>();
    private final Map<String, Long> said = new HashMap<>();
    private final Map<String, Long> totals = new HashMap<>();

    StockKindInvariant(String prefix, FindingTally tally) {
        this.prefix = prefix;
        this.tally = tally;
    }

    boolean has(String scope) {
        return scope.startsWith(prefix);
    }

    String stock(Object name) {
        return prefix + name;
    }

    void claimed(String holder, String stock, int number) {
        NamedUnit other = claims.put(holder, new NamedUnit(stock, number));
        if (other != null) {
            tally.violated("%s has unit %d of %s and unit %d of %s"
                    .formatted(holder, other.number(), other.stock(), number, stock));
        }
    }

    /** Records a size of a stock. Only the largest size so far is kept. */
    void total(String stock, long total) {
        totals.merge(stock, total, Math::max);
    }

    /** Records that the holder takes a unit of this stock. If the holder has already taken a unit, nothing changes. */
    void takes(String holder, String stock, boolean limited, long position) {
        takers.putIfAbsent(holder, new UnitTaker(position, stock, limited, totals.getOrDefault(stock, 0L)));
    }

    /** Records the number of the unit that an event names, or that the event names no unit. */
    void says(String holder, ParsedEventPayload payload, long position) {
        long unit = payload.has("unit") ? payload.number("unit") : NO_UNIT;
        Long before = said.putIfAbsent(holder, unit);
        if (before != null && before != unit) {
            tally.violated("%s says %s at event %d and said %s before"
                    .formatted(holder, words(unit), position, words(before)));
        }
    }

    void gives(String holder) {
        takers.remove(holder);
    }

    void verdict() {
        claims.forEach(this::requireTaker);
        takers.forEach((holder, taker) -> requireUnit(holder, taker, claims.get(holder)));
    }

    private void requireTaker(String holder, NamedUnit unit) {
        tally.checked();
        UnitTaker taker = takers.get(holder);
        if (taker == null || !taker.stock().equals(unit.stock())) {
            tally.violated("unit %d of %s belongs to %s, which has nothing of it"
                    .formatted(unit.number(), unit.stock(), holder));
            return;
        }
        if (unit.number() < 1 || unit.number() > taker.most()) {
            tally.violated("%s has unit %d of %s, of which there were %d"
                    .formatted(holder, unit.number(), unit.stock(), taker.most()));
        }
    }

    private void requireUnit(String holder, UnitTaker taker, @Nullable NamedUnit unit) {
        long claimed = unit == null ? NO_UNIT : unit.number();
        if (unit == null && taker.limited()) {
            tally.violated("%s takes of %s at event %d and has no unit of it"
                    .formatted(holder, taker.stock(), taker.position()));
        } else if (said.getOrDefault(holder, claimed) != claimed) {
            tally.violated("%s has %s of %s and its event says %s"
                    .formatted(holder, words(claimed), taker.stock(), words(said.getOrDefault(holder, NO_UNIT))));
        }
    }

    private static String words(long unit) {
        return unit == NO_UNIT ? "no unit" : "unit " + unit;
    }
}
