package lottery.bench.invariant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Won awards and how far they are. */
final class WinFold implements Fold {

    private static final String STATE = "state";

    private final Map<String, Map<String, String>> wins = new HashMap<>();

    @Override
    public String table() {
        return "view_win";
    }

    @Override
    public String sql() {
        return "SELECT award_record_id, version, activity_id, user_id, award_id, title, type, sort, amount, state, "
                + MOMENT_SQL.formatted("won_at") + " AS won_at, " + MOMENT_SQL.formatted("grant_at")
                + " AS grant_at, instead_of FROM view_win";
    }

    @Override
    public List<Row> after(Event event) {
        Way way = Way.of(event);
        if (way == null) {
            return List.of();
        }
        String key = event.payload().text("awardRecordId");
        Map<String, String> columns = wins.computeIfAbsent(key, unknown -> new HashMap<>());
        if (event.name().equals("award.won")) {
            columns.putAll(won(event.payload()));
        }
        columns.put(STATE, way.after(columns.getOrDefault(STATE, NOTHING)));
        return List.of(new Row(key, event.sequence(), Map.copyOf(columns)));
    }

    private static Map<String, String> won(Document payload) {
        Document award = payload.in("award");
        Document grant = payload.in("grant");
        return Map.ofEntries(
                Map.entry("activity_id", Long.toString(payload.number("activityId"))),
                Map.entry("user_id", payload.text("userId")),
                Map.entry("award_id", Long.toString(award.number("awardId"))),
                Map.entry("title", award.text("title")),
                Map.entry("type", award.text("type")),
                Map.entry("sort", Long.toString(award.number("sort"))),
                Map.entry("amount", award.has("amount") ? award.text("amount") : NOTHING),
                Map.entry("won_at", Fold.moment(payload.instant("wonAt"))),
                Map.entry("grant_at", grant.has("at") ? Fold.moment(grant.instant("at")) : NOTHING),
                Map.entry("instead_of", payload.has("insteadOf") ? payload.text("insteadOf") : NOTHING));
    }

    /** The states of each award, one after the other. What leads to none is no step. */
    static final class Steps implements Fold {

        @Override
        public String table() {
            return "view_win_step";
        }

        @Override
        public String sql() {
            return "SELECT award_record_id || '#' || sequence, sequence, state, " + MOMENT_SQL.formatted("at")
                    + " AS at FROM view_win_step";
        }

        @Override
        public List<Row> after(Event event) {
            Way way = Way.of(event);
            if (way == null || way.to().equals(Way.STAYS)) {
                return List.of();
            }
            String key = event.payload().text("awardRecordId") + "#" + event.sequence();
            boolean won = event.name().equals("award.won");
            String at = Fold.moment(won ? event.payload().instant("wonAt") : event.at());
            return List.of(new Row(key, event.sequence(), Map.of(STATE, way.to(), "at", at)));
        }
    }
}
