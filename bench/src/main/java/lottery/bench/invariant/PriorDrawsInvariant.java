package lottery.bench.invariant;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that each draw says how many its user had made before, in all and on the same day: tiers and locks follow from
 * that. The account books each draw and each entry of a pool, which are counted alike. The booking is in the commit of
 * the draw, before it or behind it.
 */
final class PriorDrawsInvariant implements Invariant {

    /** The draws of an account that are booked. */
    private static final class Booked {

        private final Map<LocalDate, Long> byDay = new HashMap<>();
        private long total;
    }

    /** How many draws were before one. */
    private record Before(long total, long today) {

        @Override
        public String toString() {
            return "%d, %d of them on the same day".formatted(total, today);
        }
    }

    private final FindingTally tally = new FindingTally();
    private final Map<String, Booked> accounts = new HashMap<>();

    /** The numbers that bookings give whose draws are not read yet. */
    private final Map<String, Before> booked = new HashMap<>();

    /** The numbers that draws give whose bookings are not read yet. */
    private final Map<String, Before> told = new HashMap<>();

    @Override
    public void see(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "account.chance-spent" -> {
                if (!payload.flag("open")) {
                    book(event);
                }
            }
            case "account.order-used" -> book(event);
            case "raffle.drawn" -> tell(event, "drawsBefore", "drawsBeforeToday");
            case "raffle.entered" -> {
                // Entries from before they were counted say nothing.
                if (payload.has("entriesBefore")) {
                    tell(event, "entriesBefore", "entriesBeforeToday");
                }
            }
            default -> {
                // No other event counts draws.
            }
        }
    }

    private void book(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        Booked account = accounts.computeIfAbsent(AccountTally.key(payload), unknown -> new Booked());
        long today = account.byDay.merge(payload.day("day"), 1L, Long::sum) - 1;
        Before before = new Before(account.total, today);
        account.total++;
        String order = payload.text("orderId");
        Before said = told.remove(order);
        if (said == null) {
            booked.put(order, before);
        } else {
            compare(order, said, before, event);
        }
    }

    private void tell(EventTableRow event, String total, String today) {
        ParsedEventPayload payload = event.payload();
        String order = payload.text("orderId");
        Before said = new Before(payload.number(total), payload.number(today));
        Before before = booked.remove(order);
        if (before == null) {
            told.put(order, said);
        } else {
            compare(order, said, before, event);
        }
    }

    private void compare(String order, Before said, Before before, EventTableRow event) {
        tally.checked();
        if (!said.equals(before)) {
            tally.violated("%s says that draws before it are %s, and at event %d they were %s"
                    .formatted(order, said, event.position(), before));
        }
    }

    /** A draw without a booking is the business of other invariants. */
    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("counts", "each draw knows how many were before it");
    }
}
