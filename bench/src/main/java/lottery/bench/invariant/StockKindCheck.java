package lottery.bench.invariant;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the stocks of one kind, and who takes of them. Each taker has one unit, which the table of claims and the
 * events both name. Its number is from 1 to the largest stock that there had been when it was taken.
 */
final class StockKindCheck {

    /** A unit, as the table has it. */
    private record NamedUnit(String shelf, int number) {}

    /**
     * A holder that takes of a stock.
     *
     * @param limited whether there is a unit to be taken
     * @param most the largest stock until then
     */
    private record Taker(long position, String shelf, boolean limited, long most) {}

    private static final long NO_SLOT = 0;

    private final String prefix;
    private final FindingTally tally;
    private final Map<String, NamedUnit> claims = new LinkedHashMap<>();
    private final Map<String, Taker> takers = new LinkedHashMap<>();
    private final Map<String, Long> said = new HashMap<>();
    private final Map<String, Long> totals = new HashMap<>();

    StockKindCheck(String prefix, FindingTally tally) {
        this.prefix = prefix;
        this.tally = tally;
    }

    boolean has(String scope) {
        return scope.startsWith(prefix);
    }

    String shelf(Object name) {
        return prefix + name;
    }

    void claimed(String holder, String shelf, int number) {
        NamedUnit other = claims.put(holder, new NamedUnit(shelf, number));
        if (other != null) {
            tally.violated("%s has unit %d of %s and unit %d of %s"
                    .formatted(holder, other.number(), other.shelf(), number, shelf));
        }
    }

    /** Notes the size of a stock; the largest size counts. */
    void total(String shelf, long total) {
        totals.merge(shelf, total, Math::max);
    }

    /** Notes that the holder has something of this stock. A holder that has something already keeps it. */
    void takes(String holder, String shelf, boolean limited, long position) {
        takers.putIfAbsent(holder, new Taker(position, shelf, limited, totals.getOrDefault(shelf, 0L)));
    }

    /** Notes the unit that an event names, or that it names none. */
    void says(String holder, EventDocument payload, long position) {
        long slot = payload.has("slot") ? payload.number("slot") : NO_SLOT;
        Long before = said.putIfAbsent(holder, slot);
        if (before != null && before != slot) {
            tally.violated("%s says %s at event %d and said %s before"
                    .formatted(holder, words(slot), position, words(before)));
        }
    }

    void gives(String holder) {
        takers.remove(holder);
    }

    void verdict() {
        claims.forEach(this::requireTaker);
        takers.forEach((holder, taker) -> requireSlot(holder, taker, claims.get(holder)));
    }

    private void requireTaker(String holder, NamedUnit slot) {
        tally.checked();
        Taker taker = takers.get(holder);
        if (taker == null || !taker.shelf().equals(slot.shelf())) {
            tally.violated("unit %d of %s belongs to %s, which has nothing of it"
                    .formatted(slot.number(), slot.shelf(), holder));
            return;
        }
        if (slot.number() < 1 || slot.number() > taker.most()) {
            tally.violated("%s has unit %d of %s, of which there were %d"
                    .formatted(holder, slot.number(), slot.shelf(), taker.most()));
        }
    }

    private void requireSlot(String holder, Taker taker, @Nullable NamedUnit slot) {
        long claimed = slot == null ? NO_SLOT : slot.number();
        if (slot == null && taker.limited()) {
            tally.violated("%s takes of %s at event %d and has no unit of it"
                    .formatted(holder, taker.shelf(), taker.position()));
        } else if (said.getOrDefault(holder, claimed) != claimed) {
            tally.violated("%s has %s of %s and its event says %s"
                    .formatted(holder, words(claimed), taker.shelf(), words(said.getOrDefault(holder, NO_SLOT))));
        }
    }

    private static String words(long slot) {
        return slot == NO_SLOT ? "no unit" : "unit " + slot;
    }
}
