package lottery.bench.invariant.draw;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import lottery.bench.invariant.draw.OrderStepTracker.Cost;
import lottery.bench.invariant.draw.OrderStepTracker.OrderStep;
import org.jspecify.annotations.Nullable;

/**
 * Checks the stored answers to requests that have an id of their own, which is not the id of an order. The stream of
 * such a request contains only the answer, and the orders in the answer exist.
 */
final class RaffleRequestAnswerInvariant {

    static final String REQUEST_ANSWERED = "raffle.request-answered";

    /**
     * A stored answer to a request.
     *
     * @param wish PARTAKE, DRAW, DRAW_ORDER or CANCEL
     * @param refused whether the answer says why there are fewer orders than requested
     */
    private record StoredAnswer(
            EventPlace place, String account, String wish, long count, List<String> orders, boolean refused) {

        static StoredAnswer of(ParsedEventPayload payload, EventPlace place) {
            return new StoredAnswer(
                    place,
                    AccountTally.key(payload),
                    payload.text("wish"),
                    payload.number("count"),
                    payload.texts("orders"),
                    payload.has("shortage"));
        }

        /**
         * Returns whether the orders fit the request. If there are fewer than requested, the answer needs a reason. An
         * answer without any order is invalid.
         */
        boolean fits() {
            int made = orders.size();
            boolean distinct = new HashSet<>(orders).size() == made;
            return wish.equals("DRAW")
                    ? distinct && made >= 1 && made <= count && refused == made < count
                    : made == 1 && !refused;
        }
    }

    private final FindingTally tally;
    private final Map<String, StoredAnswer> answers = new LinkedHashMap<>();

    RaffleRequestAnswerInvariant(FindingTally tally) {
        this.tally = tally;
    }

    /** Reads the next event of the stream of an order or of a request. */
    void see(EventTableRow event, EventPlace place) {
        StoredAnswer before = answers.get(event.stream());
        if (before != null) {
            tally.violated("%s is answered at event %d and goes on with %s at event %d"
                    .formatted(event.stream(), before.place().position(), event.name(), event.position()));
            return;
        }
        if (!event.name().equals(REQUEST_ANSWERED)) {
            return;
        }
        String request = event.payload().text("requestId");
        if (event.sequence() > 0 || !request.equals(event.stream())) {
            tally.violated("%s is answered at event %d in the stream of an order, %s"
                    .formatted(request, event.position(), event.stream()));
        }
        answers.put(event.stream(), StoredAnswer.of(event.payload(), place));
    }

    void verdict(Map<String, OrderStepTracker> known) {
        answers.forEach((request, answer) -> {
            if (known.containsKey(request)) {
                tally.violated("%s is answered at event %d and is an order, too"
                        .formatted(request, answer.place().position()));
            }
            if (!answer.fits()) {
                tally.violated("%s is answered at event %d with %s for %s of %d%s"
                        .formatted(
                                request,
                                answer.place().position(),
                                answer.orders(),
                                answer.wish(),
                                answer.count(),
                                answer.refused() ? " and a shortage" : ""));
            }
            for (String order : answer.orders()) {
                require(request, answer, order, known.get(order));
            }
        });
    }

    private void require(String request, StoredAnswer answer, String id, @Nullable OrderStepTracker order) {
        Cost cost = order == null ? null : order.cost();
        if (order == null || !isMeant(answer, order)) {
            tally.violated("%s is answered at event %d with %s, to which nothing has happened that fits %s"
                    .formatted(request, answer.place().position(), id, answer.wish()));
        } else if (cost != null && !cost.account().equals(answer.account())) {
            tally.violated("%s of %s is answered at event %d with %s of %s"
                    .formatted(request, answer.account(), answer.place().position(), id, cost.account()));
        }
    }

    /**
     * Returns whether this request drew or cancelled the order. For PARTAKE it is enough that the order was already
     * open.
     */
    private static boolean isMeant(StoredAnswer answer, OrderStepTracker order) {
        return switch (answer.wish()) {
            case "PARTAKE" -> isBefore(order.placeOf(OrderStep.CREATED), answer.place());
            case "DRAW", "DRAW_ORDER" -> isBeside(order.placeOf(OrderStep.DRAWN), answer.place());
            case "CANCEL" -> isBeside(order.placeOf(OrderStep.CANCELLED), answer.place());
            default -> false;
        };
    }

    private static boolean isBefore(@Nullable EventPlace place, EventPlace answered) {
        return place != null && place.position() < answered.position();
    }

    private static boolean isBeside(@Nullable EventPlace place, EventPlace answered) {
        return place != null && place.isInSameCommitAs(answered);
    }
}
