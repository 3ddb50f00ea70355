package lottery.bench.invariant.draw;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * Checks two numbers that each draw records: how many draws its user made before, in total and on the same day. Tiers
 * and locks depend on these numbers. The right numbers follow from the events of the account, which counts each draw
 * and each entry of a pool. The event of the account is in the same commit, before or after the draw.
 */
public final class PriorDrawsInvariant implements Invariant {

    /** How many draws an account has counted, in total and by day. */
    private static final class CountedDraws {

        private final Map<LocalDate, Long> byDay = new HashMap<>();
        private long total;
    }

    /** How many draws of the user preceded a draw, in total and on the same day. */
    private record PriorDrawCount(long total, long today) {

        @Override
        public String toString() {
            return "%d, %d of them on the same day".formatted(total, today);
        }
    }

    private final FindingTally tally = new FindingTally();
    private final Map<String, CountedDraws> accounts = new HashMap<>();

    /** The numbers that follow from account events whose draws are not read yet, by order. */
    private final Map<String, PriorDrawCount> booked = new HashMap<>();

    /** The numbers that draws record whose account events are not read yet, by order. */
    private final Map<String, PriorDrawCount> told = new HashMap<>();

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
            case "raffle.entered" -> tell(event, "entriesBefore", "entriesBeforeToday");
            default -> {
                // No other event counts draws.
            }
        }
    }

    private void book(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        CountedDraws account = accounts.computeIfAbsent(AccountTally.key(payload), unknown -> new CountedDraws());
        long today = account.byDay.merge(payload.day("day"), 1L, Long::sum) - 1;
        PriorDrawCount before = new PriorDrawCount(account.total, today);
        account.total++;
        String order = payload.text("orderId");
        PriorDrawCount said = told.remove(order);
        if (said == null) {
            booked.put(order, before);
        } else {
            compare(order, said, before, event);
        }
    }

    private void tell(EventTableRow event, String total, String today) {
        ParsedEventPayload payload = event.payload();
        String order = payload.text("orderId");
        PriorDrawCount said = new PriorDrawCount(payload.number(total), payload.number(today));
        PriorDrawCount before = booked.remove(order);
        if (before == null) {
            told.put(order, said);
        } else {
            compare(order, said, before, event);
        }
    }

    private void compare(String order, PriorDrawCount said, PriorDrawCount before, EventTableRow event) {
        tally.checked();
        if (!said.equals(before)) {
            tally.violated("%s says that draws before it are %s, and at event %d they were %s"
                    .formatted(order, said, event.position(), before));
        }
    }

    /** Returns the verdict. Draws that no account event has counted are reported by other invariants. */
    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("counts", "each draw knows how many were before it");
    }
}
