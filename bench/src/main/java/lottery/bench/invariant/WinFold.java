package lottery.bench.invariant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Won awards and how far they are. The first answer of fulfilment stands; a dispatch noted later does not undo it. */
final class WinFold implements Fold {

    private final Map<String, Map<String, String>> wins = new HashMap<>();

    @Override
    public String table() {
        return "view_win";
    }

    @Override
    public String sql() {
        return "SELECT award_record_id, version, activity_id, user_id, award_id, title, type, sort, amount, state, "
                + MOMENT_SQL.formatted("won_at") + " AS won_at FROM view_win";
    }

    @Override
    public List<Row> after(Event event) {
        String state = stateIn(event);
        if (state.isEmpty()) {
            return List.of();
        }
        String key = event.payload().text("awardRecordId");
        Map<String, String> columns = wins.computeIfAbsent(key, unknown -> new HashMap<>());
        if (event.name().equals("award.won")) {
            columns.putAll(won(event.payload()));
        }
        String before = columns.getOrDefault("state", "");
        if (!before.equals("GRANTED") && !before.equals("REJECTED")) {
            columns.put("state", state);
        }
        return List.of(new Row(key, event.sequence(), Map.copyOf(columns)));
    }

    private static Map<String, String> won(Document payload) {
        Document award = payload.in("award");
        return Map.of(
                "activity_id", Long.toString(payload.number("activityId")),
                "user_id", payload.text("userId"),
                "award_id", Long.toString(award.number("awardId")),
                "title", award.text("title"),
                "type", award.text("type"),
                "sort", Long.toString(award.number("sort")),
                "amount", award.has("amount") ? award.text("amount") : NOTHING,
                "won_at", Fold.moment(payload.instant("wonAt")));
    }

    /** Empty: the event is not about awards. */
    private static String stateIn(Event event) {
        return switch (event.name()) {
            case "award.won" -> "WON";
            case "award.dispatched" -> "DISPATCHED";
            case "award.granted" -> "GRANTED";
            case "award.grant-rejected" -> "REJECTED";
            default -> "";
        };
    }

    /** The way of each award, step by step. */
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
            String state = stateIn(event);
            if (state.isEmpty()) {
                return List.of();
            }
            String key = event.payload().text("awardRecordId") + "#" + event.sequence();
            String at = Fold.moment(state.equals("WON") ? event.payload().instant("wonAt") : event.at());
            return List.of(new Row(key, event.sequence(), Map.of("state", state, "at", at)));
        }
    }
}
