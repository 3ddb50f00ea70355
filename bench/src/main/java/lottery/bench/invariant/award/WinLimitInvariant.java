package lottery.bench.invariant.award;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * Checks that no user wins an award more often than the limit per user. Each draw must name the awards of which its
 * user already had the allowed number. The account must count each win of a limited award in the commit of the draw.
 */
public final class WinLimitInvariant implements Invariant {

    private static final Set<String> DEFINED = Set.of("strategy.defined", "strategy.revised");

    private record StrategyVersionKey(long strategyId, long number) {}

    /** A win that the account has counted. */
    private record CountedWin(String account, long award, EventPlace place) {}

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder runs = new SameCommitFinder();

    /** The limits of each version of a strategy, by award. */
    private final Map<StrategyVersionKey, SortedMap<Long, Long>> limits = new HashMap<>();

    /** The number of wins of limited awards, by account and award. */
    private final Map<String, Map<Long, Long>> wins = new HashMap<>();

    /** The wins that an account has counted but whose draw is not read yet, by order. */
    private final Map<String, CountedWin> counted = new LinkedHashMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = runs.of(event);
        ParsedEventPayload payload = event.payload();
        if (DEFINED.contains(event.name())) {
            limits.put(
                    new StrategyVersionKey(payload.number("strategyId"), payload.number("version")),
                    limits(payload.in("definition")));
        } else if (event.name().equals("account.limited-award-won")) {
            String order = payload.text("orderId");
            CountedWin win = new CountedWin(AccountTally.key(payload), payload.number("awardId"), place);
            if (counted.put(order, win) != null) {
                tally.violated("%s is counted again at event %d".formatted(order, event.position()));
            }
        } else if (event.name().equals("raffle.drawn")) {
            drawn(event, place);
        }
    }

    private static SortedMap<Long, Long> limits(ParsedEventPayload definition) {
        SortedMap<Long, Long> limits = new TreeMap<>();
        for (ParsedEventPayload award : definition.each("awards")) {
            if (award.has("maxPerUser")) {
                limits.put(award.number("awardId"), award.number("maxPerUser"));
            }
        }
        return limits;
    }

    private void drawn(EventTableRow event, EventPlace place) {
        ParsedEventPayload payload = event.payload();
        String order = payload.text("orderId");
        SortedMap<Long, Long> ofVersion = limits.getOrDefault(
                new StrategyVersionKey(payload.number("strategyId"), payload.number("strategyVersion")),
                new TreeMap<>());
        Map<Long, Long> before = wins.getOrDefault(AccountTally.key(payload), Map.of());
        List<Long> reached = ofVersion.entrySet().stream()
                .filter(limit -> before.getOrDefault(limit.getKey(), 0L) >= limit.getValue())
                .map(Map.Entry::getKey)
                .toList();
        List<Long> recorded = payload.has("reached") ? payload.numbers("reached") : List.of();
        if (!recorded.equals(reached)) {
            tally.violated("%s says at event %d that its user has reached %s, and the earlier draws say %s"
                    .formatted(order, event.position(), recorded, reached));
        }
        CountedWin win = counted.remove(order);
        long award = payload.has("award") ? payload.in("award").number("awardId") : -1;
        if (ofVersion.containsKey(award)) {
            tally.checked();
            requireAllowed(event, award, reached, ofVersion);
            requireCounted(event, place, award, win);
            wins.computeIfAbsent(AccountTally.key(payload), unknown -> new HashMap<>())
                    .merge(award, 1L, Long::sum);
        } else if (win != null) {
            tally.violated("%s is counted at event %d and wins nothing that is limited"
                    .formatted(order, win.place().position()));
        }
    }

    private void requireAllowed(EventTableRow event, long award, List<Long> reached, SortedMap<Long, Long> limits) {
        if (reached.contains(award)) {
            tally.violated("%s wins award %d at event %d, and its user has won it %d times before"
                    .formatted(event.payload().text("orderId"), award, event.position(), limits.get(award)));
        }
    }

    private void requireCounted(EventTableRow event, EventPlace place, long award, @Nullable CountedWin win) {
        String account = AccountTally.key(event.payload());
        if (win == null) {
            tally.violated("%s wins award %d at event %d, and %s has not counted it"
                    .formatted(event.payload().text("orderId"), award, event.position(), account));
        } else if (!win.place().isInSameCommitAs(place) || !win.account().equals(account) || win.award() != award) {
            tally.violated("%s wins award %d at event %d, and event %d counts award %d of %s"
                    .formatted(
                            event.payload().text("orderId"),
                            award,
                            event.position(),
                            win.place().position(),
                            win.award(),
                            win.account()));
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        counted.forEach((order, win) -> tally.violated("%s is counted at event %d and not drawn"
                .formatted(order, win.place().position())));
        return tally.verdict("limits", "no user wins an award more often than one user can");
    }
}
