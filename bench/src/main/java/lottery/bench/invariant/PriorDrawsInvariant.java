package lottery.bench.invariant;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that each draw has the right number of earlier draws of its user, in total and on the same day, because tiers
 * and locks depend on these numbers. The account counts each draw and each entry of a pool in the same way. Its event
 * is in the commit of the draw, before or after it.
 */
final class PriorDrawsInvariant implements Invariant {

    /** The draws that an account has counted. */
    private static final class Booked {

        private final Map<LocalDate, Long> byDay = new HashMap<>();
        private long total;
    }

    /** How many draws preceded a draw. */
    private record Before(long total, long today) {

        @Override
        public String toString() {
            return "%d, %d of them on the same day".formatted(total, today);
        }
    }

    private final FindingTally tally = new FindingTally();
    private final Map<String, Booked> accounts = new HashMap<>();

    /** The numbers of account events whose draws are not read yet. */
    private final Map<String, Before> booked = new HashMap<>();

    /** The numbers of draws whose account events are not read yet. */
    private final Map<String, Before> told = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
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
                // Entries that are older than the counting have no number.
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

    /** Other invariants check for draws that the account has not counted. */
    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("counts", "each draw knows how many were before it");
    }
}
