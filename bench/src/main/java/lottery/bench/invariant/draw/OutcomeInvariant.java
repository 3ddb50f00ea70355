package lottery.bench.invariant.draw;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import lottery.bench.invariant.draw.OrderStepTracker.Cost;
import lottery.bench.invariant.draw.OrderStepTracker.OrderStep;

/**
 * I3: one order, one outcome. Each spent chance has exactly one outcome. Either the order is drawn in the same commit,
 * or it stays open until it is drawn or cancelled. An account has at most one open order. After a draw, the chance is
 * returned only as compensation for the award, in the same commit.
 */
public final class OutcomeInvariant implements Invariant {

    private static final String ORDER = "order:";
    /** The event of a request that was refused after it had waited in the queue. */
    private static final String REFUSED = "raffle.order-refused";

    private static final Set<String> BEGINNINGS = Set.of(
            "raffle.drawn",
            "raffle.order-created",
            "raffle.entered",
            REFUSED,
            RaffleRequestAnswerInvariant.REQUEST_ANSWERED);

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();
    private final RaffleRequestAnswerInvariant answers = new RaffleRequestAnswerInvariant(tally);
    private final Map<String, OrderStepTracker> orders = new LinkedHashMap<>();

    /** Open orders by account. */
    private final Map<String, String> open = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        if (event.stream().startsWith(ORDER)) {
            requireBeginning(event);
            answers.see(event, place);
        }
        switch (event.name()) {
            case "account.chance-spent" -> spent(event, place);
            case "account.order-used" -> used(event, place);
            case "account.chance-returned" -> returned(event, place);
            case "raffle.order-created" -> ofOrder(OrderStep.CREATED, event, place);
            case "raffle.drawn" -> {
                tally.checked();
                ofOrder(OrderStep.DRAWN, event, place);
            }
            case "raffle.entered" -> {
                tally.checked();
                ofOrder(OrderStep.ENTERED, event, place);
            }
            case "raffle.order-cancelled" -> ofOrder(OrderStep.CANCELLED, event, place);
            case REFUSED -> {
                tally.checked();
                ofOrder(OrderStep.REFUSED, event, place);
            }
            case "award.compensated" -> compensated(event, place);
            default -> {
                // No other event decides an order.
            }
        }
    }

    private void requireBeginning(EventTableRow event) {
        if (event.sequence() == 0 && !BEGINNINGS.contains(event.name())) {
            tally.violated("%s begins with %s at event %d, which begins no order"
                    .formatted(event.stream(), event.name(), event.position()));
        }
    }

    private OrderStepTracker find(EventTableRow event) {
        return orders.computeIfAbsent(event.payload().text("orderId"), OrderStepTracker::new);
    }

    private void ofOrder(OrderStep step, EventTableRow event, EventPlace place) {
        String order = event.payload().text("orderId");
        if (!order.equals(event.stream())) {
            tally.violated("%s has %s at event %d in the stream of %s"
                    .formatted(order, event.name(), event.position(), event.stream()));
        }
        find(event).on(step, place, tally);
    }

    private void spent(EventTableRow event, EventPlace place) {
        ParsedEventPayload payload = event.payload();
        Cost cost = new Cost(AccountTally.key(payload), payload.day("day"), payload.flag("open"));
        OrderStepTracker order = find(event);
        order.on(OrderStep.SPENT, place, tally);
        order.costs(cost);
        if (cost.open()) {
            String other = open.put(cost.account(), payload.text("orderId"));
            if (other != null) {
                tally.violated("%s is opened at event %d while %s is open"
                        .formatted(payload.text("orderId"), event.position(), other));
            }
        }
    }

    private void used(EventTableRow event, EventPlace place) {
        find(event).on(OrderStep.USED, place, tally);
        String order = event.payload().text("orderId");
        if (!open.remove(AccountTally.key(event.payload()), order)) {
            tally.violated("%s is used at event %d and is not the open order of %s"
                    .formatted(order, event.position(), AccountTally.key(event.payload())));
        }
    }

    private void returned(EventTableRow event, EventPlace place) {
        ParsedEventPayload payload = event.payload();
        OrderStepTracker order = find(event);
        order.on(OrderStep.RETURNED, place, tally);
        Cost cost = order.cost();
        if (cost == null) {
            tally.violated("%s gives a chance back at event %d and had cost none"
                    .formatted(payload.text("orderId"), event.position()));
        } else if (!cost.account().equals(AccountTally.key(payload))
                || !cost.day().equals(payload.day("day"))) {
            tally.violated("%s gives a chance of %s back to %s at event %d and had cost one of %s of %s"
                    .formatted(
                            payload.text("orderId"),
                            payload.day("day"),
                            AccountTally.key(payload),
                            event.position(),
                            cost.day(),
                            cost.account()));
        }
        open.remove(AccountTally.key(payload), payload.text("orderId"));
    }

    private void compensated(EventTableRow event, EventPlace place) {
        if (event.payload().text("by").equals("RETURN_CHANCE")) {
            String order = ORDER + EventTableRow.key(event.payload().text("awardRecordId"));
            orders.computeIfAbsent(order, OrderStepTracker::new).on(OrderStep.REMEDIED, place, tally);
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        orders.values().forEach(order -> order.verdict(tally));
        answers.verdict(orders);
        return tally.verdict("I3", "one order, one chance, one outcome");
    }
}
