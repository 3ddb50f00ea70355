package lottery.bench.invariant.readmodel;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * Folds the sums of each day of an activity. A draw or entry adds a player if its event says that it is the player's
 * first one. A row sums up many users. Therefore the row may contain later events of other users while it still lacks a
 * parked event of one user. Each log has its own sums.
 */
public final class ActivityFigureReadModelFold implements ReadModelFold {

    private static final long NOTHING_WON = 0;
    private static final BigDecimal FREE_OF_COST = BigDecimal.ZERO;

    /** The columns of a row. */
    private static final class FigureColumns {

        private long draws;
        private long entries;
        private long players;
        private long newPlayers;
        private BigDecimal cost = FREE_OF_COST;
        private long free;
        private long recharged;
        private long spent;
        private long returned;

        Map<String, String> columns() {
            return Map.of(
                    "draws", Long.toString(draws),
                    "entries", Long.toString(entries),
                    "players", Long.toString(players),
                    "new_players", Long.toString(newPlayers),
                    "cost", cost.signum() == 0 ? "0" : cost.stripTrailingZeros().toPlainString(),
                    "free", Long.toString(free),
                    "recharged", Long.toString(recharged),
                    "spent", Long.toString(spent),
                    "returned", Long.toString(returned));
        }
    }

    private final Set<Long> parked;
    private final Map<Long, ZoneId> zones = new HashMap<>();
    private final Map<String, BigDecimal> costs = new HashMap<>();
    private final PoolWinDetector pools = new PoolWinDetector();
    private final Map<String, FigureColumns> sums = new HashMap<>();

    /** @param parked the positions of parked events, which are not in the table yet */
    public ActivityFigureReadModelFold(Set<Long> parked) {
        this.parked = parked;
    }

    @Override
    public String table() {
        return "view_figure";
    }

    @Override
    public String sql() {
        return "SELECT activity_id || '/' || day || '/' || award_id || " + LOG_SQL
                + ", position, draws, entries, players,"
                + " new_players, trim_scale(cost) AS cost, free, recharged, spent, returned FROM view_figure";
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        pools.after(event);
        switch (event.name()) {
            case "activity.created", "activity.edited" ->
                zones.put(
                        payload.number("activityId"),
                        ZoneId.of(payload.in("definition").text("zone")));
            case "strategy.defined", "strategy.revised" -> {
                String version = payload.number("strategyId") + "/" + payload.number("version") + "/";
                for (ParsedEventPayload award : payload.in("definition").each("awards")) {
                    costs.put(
                            version + award.number("awardId"),
                            award.has("cost") ? award.decimal("cost") : FREE_OF_COST);
                }
            }
            default -> {
                // Other events define nothing.
            }
        }
        return parked.contains(event.position()) ? List.of() : counted(event, payload);
    }

    private List<FoldedRow> counted(EventTableRow event, ParsedEventPayload payload) {
        return switch (event.name()) {
            case "raffle.drawn" ->
                on(payload.instant("drawnAt"), event, award(payload), sums -> {
                    sums.draws++;
                    sums.players += payload.number("drawsBeforeToday") == 0 ? 1 : 0;
                    sums.newPlayers += payload.number("drawsBefore") == 0 ? 1 : 0;
                    sums.cost = sums.cost.add(cost(payload));
                });
            case "raffle.entered" ->
                List.of(on(payload.day("day"), event, NOTHING_WON, sums -> {
                    sums.entries++;
                    sums.players += payload.number("entriesBeforeToday") == 0 ? 1 : 0;
                    sums.newPlayers += payload.number("entriesBefore") == 0 ? 1 : 0;
                }));
            case "award.won" -> pools.has(event) ? wonInPool(event, payload) : List.of();
            case "account.opened" -> on(event.at(), event, NOTHING_WON, sums -> sums.free += total(payload));
            case "account.recharged" -> on(event.at(), event, NOTHING_WON, sums -> sums.recharged += total(payload));
            case "account.chance-spent" -> List.of(on(payload.day("day"), event, NOTHING_WON, sums -> sums.spent++));
            case "account.chance-returned" ->
                List.of(on(payload.day("day"), event, NOTHING_WON, sums -> sums.returned++));
            default -> List.of();
        };
    }

    private List<FoldedRow> wonInPool(EventTableRow event, ParsedEventPayload payload) {
        return on(payload.instant("wonAt"), event, award(payload), sums -> {
            sums.draws++;
            sums.cost = sums.cost.add(costs.getOrDefault(pools.versionOf(event) + "/" + award(payload), FREE_OF_COST));
        });
    }

    private static long award(ParsedEventPayload drawn) {
        return drawn.has("award") ? drawn.in("award").number("awardId") : NOTHING_WON;
    }

    private BigDecimal cost(ParsedEventPayload drawn) {
        String award = drawn.number("strategyId") + "/" + drawn.number("strategyVersion") + "/" + award(drawn);
        return costs.getOrDefault(award, FREE_OF_COST);
    }

    private static long total(ParsedEventPayload given) {
        return given.in("bundle").number("total");
    }

    private List<FoldedRow> on(Instant moment, EventTableRow event, long award, Consumer<FigureColumns> change) {
        ZoneId zone = zones.get(event.payload().number("activityId"));
        return zone == null ? List.of() : List.of(on(LocalDate.ofInstant(moment, zone), event, award, change));
    }

    private FoldedRow on(LocalDate day, EventTableRow event, long award, Consumer<FigureColumns> change) {
        String key = event.payload().number("activityId") + "/" + day + "/" + award + ReadModelFold.log(event);
        FigureColumns row = sums.computeIfAbsent(key, unknown -> new FigureColumns());
        change.accept(row);
        return new FoldedRow(key, event.position(), row.columns());
    }
}
