package lottery.bench.invariant.readmodel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.bench.invariant.AwardTransition;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * Folds won awards, their states, and the steps to these states. An event that does not change the state adds no step.
 */
public final class WinReadModelFold implements ReadModelFold {

    private static final String STATE = "state";
    private static final String STEPS = "steps";

    private final CheckedUserShare share;
    private final Map<String, Map<String, String>> wins = new HashMap<>();

    public WinReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_win";
    }

    @Override
    public String sql() {
        return "SELECT award_record_id, version, activity_id, user_id, award_id, title, type, sort, amount, state, "
                + MOMENT_SQL.formatted("won_at") + " AS won_at, " + MOMENT_SQL.formatted("grant_at")
                + " AS grant_at, instead_of, steps FROM view_win WHERE " + share.sql("award_record_id");
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        AwardTransition way = AwardTransition.of(event);
        if (way == null) {
            return List.of();
        }
        String key = event.payload().text("awardRecordId");
        Map<String, String> columns = wins.computeIfAbsent(key, unknown -> new HashMap<>());
        if (event.name().equals("award.won")) {
            columns.putAll(won(event.payload()));
        }
        columns.put(STATE, way.after(columns.getOrDefault(STATE, NOTHING)));
        if (!way.to().equals(AwardTransition.STAYS)) {
            columns.merge(STEPS, steps(way, event), (before, steps) -> before + ", " + steps);
        }
        return List.of(new FoldedRow(key, event.sequence(), Map.copyOf(columns)));
    }

    private static String steps(AwardTransition way, EventTableRow event) {
        boolean won = event.name().equals("award.won");
        String since = " " + ReadModelFold.rounded(won ? event.payload().instant("wonAt") : event.at());
        return (way.equals(AwardTransition.WON_AND_GRANTED) ? "WON" + since + ", " : "") + way.to() + since;
    }

    private static Map<String, String> won(ParsedEventPayload payload) {
        ParsedEventPayload award = payload.in("award");
        ParsedEventPayload grant = payload.in("grant");
        return Map.ofEntries(
                Map.entry("activity_id", Long.toString(payload.number("activityId"))),
                Map.entry("user_id", payload.text("userId")),
                Map.entry("award_id", Long.toString(award.number("awardId"))),
                Map.entry("title", award.text("title")),
                Map.entry("type", award.text("type")),
                Map.entry("sort", Long.toString(award.number("sort"))),
                Map.entry("amount", award.has("amount") ? award.text("amount") : NOTHING),
                Map.entry("won_at", ReadModelFold.moment(payload.instant("wonAt"))),
                Map.entry("grant_at", grant.has("at") ? ReadModelFold.moment(grant.instant("at")) : NOTHING),
                Map.entry("instead_of", payload.has("insteadOf") ? payload.text("insteadOf") : NOTHING));
    }
}
