package lottery.bench.invariant.readmodel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/**
 * Folds a row for each award. It says how many draws can be compared with the promised odds, and how many of these
 * draws won the award. A row combines many users. Therefore it may lack a parked event of one user, but contain later
 * events of other users. Each log has its own counts.
 */
public final class OddsReadModelFold implements ReadModelFold {

    private static final long NOTHING_WON = 0;
    private static final long ALL_DRAWS = -1;

    /** The rules of one version of a strategy that decide which draws can be compared with its odds. */
    private record ComparableRules(
            Map<Long, Long> locks,
            @Nullable Long fallback,
            boolean hasOwnTree,
            boolean sharesOdds,
            Set<String> blacklist,
            Set<Long> tiers,
            boolean tiersPass) {

        static ComparableRules of(ParsedEventPayload definition) {
            Map<Long, Long> locks = new HashMap<>();
            definition
                    .each("awards")
                    .forEach(award -> locks.put(award.number("awardId"), award.number("lockedUntilDraws")));
            Set<Long> tiers = new HashSet<>();
            if (definition.has("tiers")) {
                definition.each("tiers").forEach(tier -> tiers.add(tier.number("from")));
            }
            return new ComparableRules(
                    locks,
                    definition.has("fallback") ? definition.number("fallback") : null,
                    definition.has("tree"),
                    definition.has("mode") && definition.text("mode").equals("OVERALL"),
                    definition.has("blacklist")
                            ? Set.copyOf(definition.in("blacklist").texts("users"))
                            : Set.of(),
                    tiers,
                    definition.has("tierMode") && definition.text("tierMode").equals("EXACT"));
        }

        /**
         * Returns, for each award and for winning no award, whether the draw picked it. Awards for which the draw
         * cannot be compared with the odds are omitted.
         */
        Map<Long, Boolean> toldBy(ParsedEventPayload drawn) {
            List<Long> soldOut = new ArrayList<>(drawn.numbers("soldOut"));
            for (String more : List.of("reached", "held", "overBudget")) {
                if (drawn.has(more)) {
                    soldOut.addAll(drawn.numbers(more));
                }
            }
            if (hasOwnTree
                    || (sharesOdds && !soldOut.isEmpty())
                    || blacklist.contains(drawn.text("userId"))
                    || isOfTier(drawn.number("drawsBefore") + 1)) {
                return Map.of();
            }
            long today = drawn.number("drawsBeforeToday");
            String outcome = drawn.text("outcome");
            long won = outcome.equals("WON") ? drawn.in("award").number("awardId") : NOTHING_WON;
            Map<Long, Boolean> told = new HashMap<>();
            locks.forEach((award, lock) -> {
                if (today >= lock && !soldOut.contains(award)) {
                    told.put(award, award == won);
                }
            });
            boolean hidesNothing = soldOut.isEmpty() && told.size() == locks.size();
            boolean isFallbackGiven = fallback != null && !soldOut.contains(fallback);
            if (isFallbackGiven || hidesNothing) {
                told.put(NOTHING_WON, outcome.equals("NOTHING"));
            }
            return told;
        }

        private boolean isOfTier(long draw) {
            return tiersPass ? tiers.contains(draw) : tiers.stream().anyMatch(from -> from <= draw);
        }
    }

    private static final class ComparedDraws {

        private long compared;
        private long won;
    }

    private final Set<Long> parked;
    private final Map<String, ComparableRules> promises = new HashMap<>();
    private final Map<String, ComparedDraws> counts = new HashMap<>();

    /** @param parked the positions of parked draws, which are not in the table yet */
    public OddsReadModelFold(Set<Long> parked) {
        this.parked = parked;
    }

    @Override
    public String table() {
        return "view_odds";
    }

    @Override
    public String sql() {
        return "SELECT activity_id || '/' || strategy_id || '/' || version || '/' || award_id || "
                + LOG_SQL + ", position, compared, won"
                + " FROM view_odds";
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        return switch (event.name()) {
            case "strategy.defined", "strategy.revised" -> {
                promises.put(
                        payload.number("strategyId") + "/" + payload.number("version"),
                        ComparableRules.of(payload.in("definition")));
                yield List.of();
            }
            case "raffle.drawn" -> parked.contains(event.position()) ? List.of() : drawn(event, payload);
            default -> List.of();
        };
    }

    private List<FoldedRow> drawn(EventTableRow event, ParsedEventPayload payload) {
        String version = payload.number("strategyId") + "/" + payload.number("strategyVersion");
        String prefix = payload.number("activityId") + "/" + version + "/";
        List<FoldedRow> rows = new ArrayList<>();
        rows.add(counted(prefix + ALL_DRAWS, false, event));
        ComparableRules promised = promises.get(version);
        if (promised != null) {
            promised.toldBy(payload).forEach((award, hit) -> rows.add(counted(prefix + award, hit, event)));
        }
        return rows;
    }

    private FoldedRow counted(String award, boolean hit, EventTableRow event) {
        String key = award + ReadModelFold.log(event);
        ComparedDraws count = counts.computeIfAbsent(key, unknown -> new ComparedDraws());
        count.compared++;
        count.won += hit ? 1 : 0;
        return new FoldedRow(
                key,
                event.position(),
                Map.of("compared", Long.toString(count.compared), "won", Long.toString(count.won)));
    }
}
