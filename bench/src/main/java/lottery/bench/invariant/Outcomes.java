package lottery.bench.invariant;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * I3: one order, one outcome. An order begins with its draw, and a chance that was spent bought exactly one of them:
 * both are written in one commit.
 */
final class Outcomes implements Invariant {

    private static final String ORDER = "order:";

    private final Tally tally = new Tally();
    private final Map<String, Long> drawnAt = new LinkedHashMap<>();
    private final Map<String, Long> spentAt = new LinkedHashMap<>();

    @Override
    public void see(Event event) {
        if (event.stream().startsWith(ORDER)
                && event.sequence() == 0
                && !event.name().equals("raffle.drawn")) {
            tally.violated("%s begins with %s at event %d, not with its draw"
                    .formatted(event.stream(), event.name(), event.position()));
        }
        switch (event.name()) {
            case "raffle.drawn" -> drawn(event);
            case "account.chance-spent" -> spent(event);
            default -> {
                // Nothing else decides an order.
            }
        }
    }

    private void drawn(Event event) {
        tally.checked();
        String order = event.payload().text("orderId");
        if (!order.equals(event.stream())) {
            tally.violated(
                    "%s is drawn at event %d in the stream of %s".formatted(order, event.position(), event.stream()));
        }
        Long before = drawnAt.putIfAbsent(order, event.position());
        if (before != null) {
            tally.violated("%s is drawn at event %d and again at event %d".formatted(order, before, event.position()));
        }
    }

    private void spent(Event event) {
        String order = event.payload().text("orderId");
        Long before = spentAt.putIfAbsent(order, event.position());
        if (before != null) {
            tally.violated(
                    "%s costs a chance at event %d and another at event %d".formatted(order, before, event.position()));
        }
    }

    @Override
    public Verdict verdict(Moment moment) {
        spentAt.forEach((order, position) -> {
            if (!drawnAt.containsKey(order)) {
                tally.violated("%s costs a chance at event %d and has no outcome".formatted(order, position));
            }
        });
        return tally.verdict("I3", "one order, one chance, one outcome");
    }
}
