package lottery.bench.invariant.account;

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

/**
 * Checks that a recharge is completed at most once, and never after it was closed. When it is completed, its chances
 * are added once, in the same commit. No chances are added without a recharge. Each business number of a user belongs
 * to one recharge.
 */
public final class RechargeInvariant implements Invariant {

    private static final String RECHARGE = "recharge:";

    private static final String ORDERED = "recharge.ordered";
    private static final String COMPLETED = "recharge.completed";
    private static final String CLOSED = "recharge.closed";
    private static final String ADDED = "account.recharged";

    private static final Set<String> BEGINNINGS = Set.of(ORDERED, COMPLETED);

    /**
     * An event of a recharge, or of the account that gets its chances.
     *
     * @param terms the account and its chances as text; empty if the event does not contain them
     */
    private record RechargeFact(EventPlace place, String terms) {}

    private record BusinessNumber(String user, String outBusinessNo) {}

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();

    /** Facts by recharge, then by the name of the event. */
    private final Map<String, Map<String, RechargeFact>> recharges = new LinkedHashMap<>();

    private final Map<BusinessNumber, String> numbered = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        if (event.stream().startsWith(RECHARGE)) {
            requireStream(event);
        }
        switch (event.name()) {
            case ORDERED -> {
                requireItsNumber(event);
                on(event, new RechargeFact(place, terms(event.payload())));
            }
            case ADDED -> on(event, new RechargeFact(place, terms(event.payload())));
            case COMPLETED -> {
                tally.checked();
                requireItsNumber(event);
                requireNotAfter(CLOSED, event);
                on(event, new RechargeFact(place, terms(event.payload())));
            }
            case CLOSED -> {
                requireNotAfter(COMPLETED, event);
                on(event, new RechargeFact(place, ""));
            }
            default -> {
                // Other events do not concern recharges.
            }
        }
    }

    private void requireStream(EventTableRow event) {
        if (event.sequence() == 0 && !BEGINNINGS.contains(event.name())) {
            tally.violated("%s begins with %s at event %d, which begins no recharge"
                    .formatted(event.stream(), event.name(), event.position()));
        }
        if (event.payload().has("rechargeId")
                && !event.payload().text("rechargeId").equals(event.stream())) {
            tally.violated("%s has %s at event %d in the stream of %s"
                    .formatted(event.payload().text("rechargeId"), event.name(), event.position(), event.stream()));
        }
    }

    private void requireItsNumber(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        BusinessNumber number = new BusinessNumber(payload.text("userId"), payload.text("outBusinessNo"));
        String recharge = payload.text("rechargeId");
        String before = numbered.putIfAbsent(number, recharge);
        if (before != null && !before.equals(recharge)) {
            tally.violated("%s of %s is %s, and at event %d %s"
                    .formatted(number.outBusinessNo(), number.user(), before, event.position(), recharge));
        }
    }

    private void on(EventTableRow event, RechargeFact fact) {
        String recharge = event.payload().text("rechargeId");
        RechargeFact before =
                recharges.computeIfAbsent(recharge, unknown -> new HashMap<>()).putIfAbsent(event.name(), fact);
        if (before != null) {
            tally.violated("%s has %s at event %d and again at event %d"
                    .formatted(recharge, event.name(), before.place().position(), event.position()));
        }
    }

    private void requireNotAfter(String end, EventTableRow event) {
        String recharge = event.payload().text("rechargeId");
        RechargeFact before = recharges.getOrDefault(recharge, Map.of()).get(end);
        if (before != null) {
            tally.violated("%s has %s at event %d after %s at event %d"
                    .formatted(
                            recharge,
                            event.name(),
                            event.position(),
                            end,
                            before.place().position()));
        }
    }

    private static String terms(ParsedEventPayload payload) {
        ParsedEventPayload bundle = payload.in("bundle");
        return "%d/%d/%d chances of %s"
                .formatted(
                        bundle.number("total"),
                        bundle.number("month"),
                        bundle.number("day"),
                        AccountTally.key(payload));
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        recharges.forEach((recharge, facts) -> {
            requireTogether(recharge, facts, COMPLETED, ADDED);
            requireTogether(recharge, facts, ADDED, COMPLETED);
            requireSame(recharge, facts, COMPLETED, ADDED);
            requireSame(recharge, facts, ORDERED, COMPLETED);
        });
        return tally.verdict("once", "a recharge adds its chances once");
    }

    private void requireTogether(String recharge, Map<String, RechargeFact> facts, String one, String other) {
        RechargeFact first = facts.get(one);
        RechargeFact second = facts.get(other);
        if (first != null && second == null) {
            tally.violated("%s has %s at event %d and no %s"
                    .formatted(recharge, one, first.place().position(), other));
        } else if (first != null
                && second != null
                && one.equals(COMPLETED)
                && !first.place().isInSameCommitAs(second.place())) {
            tally.violated("%s has %s at event %d and %s at event %d, in another commit"
                    .formatted(
                            recharge,
                            one,
                            first.place().position(),
                            other,
                            second.place().position()));
        }
    }

    private void requireSame(String recharge, Map<String, RechargeFact> facts, String one, String other) {
        RechargeFact first = facts.get(one);
        RechargeFact second = facts.get(other);
        if (first != null && second != null && !first.terms().equals(second.terms())) {
            tally.violated("%s has %s with %s at event %d and %s with %s at event %d"
                    .formatted(
                            recharge,
                            one,
                            first.terms(),
                            first.place().position(),
                            other,
                            second.terms(),
                            second.place().position()));
        }
    }
}
