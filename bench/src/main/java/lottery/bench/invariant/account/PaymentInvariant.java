package lottery.bench.invariant.account;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import org.jspecify.annotations.Nullable;

/**
 * Checks that all money that was taken is delivered for, given back, or on the desk: for each trade, and in sum for
 * each currency. At most one trade of a payment is delivered for. It is the price, and the recharge is completed in the
 * same commit. No recharge of a payment is completed otherwise.
 */
public final class PaymentInvariant implements Invariant {

    private static final String PAYMENT = "payment:";

    private static final String TAKEN = "payment.money-taken";
    private static final String DELIVERED = "payment.delivered";
    private static final String REFUND_ORDERED = "payment.refund-ordered";
    private static final String REFUNDED = "payment.refunded";
    private static final String ON_DESK = "payment.left-to-desk";

    /** The events that may be the last one about a trade before each event. */
    private static final Map<String, Set<String>> BEFORE = Map.of(
            DELIVERED, Set.of(TAKEN),
            REFUND_ORDERED, Set.of(TAKEN, DELIVERED, ON_DESK),
            REFUNDED, Set.of(REFUND_ORDERED, ON_DESK),
            ON_DESK, Set.of(REFUND_ORDERED));

    private record MoneyFact(BigDecimal amount, String currency) {

        static MoneyFact of(ParsedEventPayload payload) {
            return new MoneyFact(new BigDecimal(payload.text("amount")), payload.text("currency"));
        }
    }

    /** @param last the name of the last event about it */
    private record TradeFact(String payment, MoneyFact money, String last) {}

    /** @param terms user, activity and SKU */
    private record OrderedPayment(MoneyFact price, String terms) {}

    private record CompletedRecharge(String payment, String terms, EventPlace place) {}

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();
    private final Map<String, OrderedPayment> orders = new HashMap<>();
    private final Map<String, TradeFact> trades = new LinkedHashMap<>();
    private final Map<String, EventPlace> deliveries = new HashMap<>();
    private final Map<String, CompletedRecharge> completions = new LinkedHashMap<>();

    /** By currency: what was taken, minus what became of it. */
    private final Map<String, BigDecimal> unsettled = new TreeMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "payment.ordered" ->
                orders.put(event.stream(), new OrderedPayment(MoneyFact.of(payload.in("price")), terms(payload)));
            case TAKEN -> taken(event);
            case DELIVERED -> {
                delivered(event, place);
                went(event);
            }
            case REFUND_ORDERED -> {
                requireReason(event);
                went(event);
            }
            case REFUNDED, ON_DESK -> went(event);
            case "recharge.completed" -> {
                String payment = payload.text("outBusinessNo");
                if (payment.startsWith(PAYMENT)) {
                    completions.put(event.stream(), new CompletedRecharge(payment, terms(payload), place));
                }
            }
            default -> {
                // Other events move no money.
            }
        }
    }

    private static String terms(ParsedEventPayload payload) {
        return "SKU %d for %s".formatted(payload.number("sku"), AccountTally.key(payload));
    }

    /** Requires that a person has ordered the refund of what was delivered. */
    private void requireReason(EventTableRow event) {
        TradeFact before = trades.get(trade(event));
        if (before != null
                && before.last().equals(DELIVERED)
                && !event.payload().text("reason").equals("ORDERED_BY_DESK")) {
            tally.violated("%s of %s is delivered, and given back at event %d by itself"
                    .formatted(trade(event), event.stream(), event.position()));
        }
    }

    private static String trade(EventTableRow event) {
        ParsedEventPayload trade = event.payload().in("trade");
        return trade.text("provider") + "/" + trade.text("tradeNo");
    }

    private void taken(EventTableRow event) {
        tally.checked();
        MoneyFact money = MoneyFact.of(event.payload().in("money"));
        TradeFact before = trades.putIfAbsent(trade(event), new TradeFact(event.stream(), money, TAKEN));
        if (before != null) {
            tally.violated(
                    "%s of %s is taken again at event %d".formatted(trade(event), before.payment(), event.position()));
        } else if (!orders.containsKey(event.stream())) {
            tally.violated(
                    "%s takes money at event %d and was not ordered".formatted(event.stream(), event.position()));
        }
        add(money, 1);
    }

    private void add(MoneyFact money, int sign) {
        unsettled.merge(money.currency(), money.amount().multiply(BigDecimal.valueOf(sign)), BigDecimal::add);
    }

    private void delivered(EventTableRow event, EventPlace place) {
        EventPlace before = deliveries.putIfAbsent(event.stream(), place);
        if (before != null) {
            tally.violated("%s is delivered at event %d and again at event %d"
                    .formatted(event.stream(), before.position(), event.position()));
        }
        TradeFact trade = trades.get(trade(event));
        OrderedPayment order = orders.get(event.stream());
        if (trade != null && order != null && !isSame(trade.money(), order.price())) {
            tally.violated("%s is delivered at event %d for %s instead of %s"
                    .formatted(event.stream(), event.position(), trade.money(), order.price()));
        }
    }

    private static boolean isSame(MoneyFact one, MoneyFact other) {
        return one.currency().equals(other.currency()) && one.amount().compareTo(other.amount()) == 0;
    }

    private void went(EventTableRow event) {
        @Nullable TradeFact before = trades.get(trade(event));
        if (before == null
                || !before.payment().equals(event.stream())
                || !BEFORE.getOrDefault(event.name(), Set.of()).contains(before.last())) {
            tally.violated("%s of %s has %s at event %d after %s"
                    .formatted(
                            trade(event),
                            event.stream(),
                            event.name(),
                            event.position(),
                            before == null ? "nothing" : before.last()));
            return;
        }
        trades.put(trade(event), new TradeFact(before.payment(), before.money(), event.name()));
        boolean wasSettled = !Set.of(TAKEN, REFUND_ORDERED).contains(before.last());
        boolean isSettled = !event.name().equals(REFUND_ORDERED);
        if (isSettled && !wasSettled) {
            add(before.money(), -1);
        } else if (wasSettled && !isSettled) {
            add(before.money(), 1);
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        completions.forEach((recharge, completion) -> {
            EventPlace delivered = deliveries.get(completion.payment());
            OrderedPayment order = orders.get(completion.payment());
            if (order != null && !order.terms().equals(completion.terms())) {
                tally.violated("%s is %s, and %s is %s"
                        .formatted(completion.payment(), order.terms(), recharge, completion.terms()));
            } else if (delivered == null || !delivered.isInSameCommitAs(completion.place())) {
                tally.violated("%s is completed at event %d without a delivery of %s in the same commit"
                        .formatted(recharge, completion.place().position(), completion.payment()));
            }
        });
        Set<String> completed =
                completions.values().stream().map(CompletedRecharge::payment).collect(Collectors.toSet());
        deliveries.forEach((payment, place) -> {
            if (!completed.contains(payment)) {
                tally.violated("%s is delivered at event %d without a recharge".formatted(payment, place.position()));
            }
        });
        if (moment == CheckMoment.AT_REST) {
            unsettled.forEach((currency, amount) -> {
                if (amount.signum() != 0) {
                    tally.violated("%s %s are neither delivered for, given back nor on the desk: %s"
                            .formatted(amount.toPlainString(), currency, unsettledTrades()));
                }
            });
        }
        return tally.verdict("payments", "money buys its goods once, or is given back, or is on the desk");
    }

    private List<String> unsettledTrades() {
        return trades.entrySet().stream()
                .filter(trade ->
                        Set.of(TAKEN, REFUND_ORDERED).contains(trade.getValue().last()))
                .map(trade -> trade.getKey() + " of " + trade.getValue().payment())
                .limit(3)
                .toList();
    }
}
