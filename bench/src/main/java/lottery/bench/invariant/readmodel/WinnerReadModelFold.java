package lottery.bench.invariant.readmodel;

import java.text.BreakIterator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * Folds the latest winners of each activity, including winners in pools, with masked names. Wins of the fallback of a
 * strategy's version are omitted, because they are only consolation awards.
 */
public final class WinnerReadModelFold implements ReadModelFold {

    /** The number of winners that are kept for each activity. */
    private static final int KEPT_MAX = 1_000;

    private static final String STARS = "***";
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    /** Consolation awards by strategy and version. */
    private final Map<String, Long> consolations = new HashMap<>();

    private final PoolWinDetector pools = new PoolWinDetector();

    /** The keys of the kept winners, by activity and log. */
    private final Map<String, Deque<String>> kept = new HashMap<>();

    @Override
    public String table() {
        return "view_winner";
    }

    @Override
    public String sql() {
        return "SELECT position::text, position, activity_id, name, award_id, title, type, amount, "
                + MOMENT_SQL.formatted("won_at") + " AS won_at FROM view_winner";
    }

    /** Returns the key of the oldest winner, which a new winner replaces when the list is full. */
    @Override
    public Set<String> gone(EventTableRow event) {
        if (!isNews(event)) {
            return Set.of();
        }
        Deque<String> winners = winnersOf(event);
        return winners.size() < KEPT_MAX ? Set.of() : Set.of(winners.getFirst());
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        pools.after(event);
        if (event.name().equals("strategy.defined") || event.name().equals("strategy.revised")) {
            ParsedEventPayload definition = event.payload().in("definition");
            if (definition.has("fallback")) {
                consolations.put(version(event.payload(), "version"), definition.number("fallback"));
            }
            return List.of();
        }
        return isNews(event) ? List.of(winner(event)) : List.of();
    }

    private boolean isNews(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        if (event.name().equals("award.won")) {
            return pools.has(event);
        }
        if (!event.name().equals("raffle.drawn") || !payload.text("outcome").equals("WON")) {
            return false;
        }
        Long consolation = consolations.get(version(payload, "strategyVersion"));
        return consolation == null || consolation != payload.in("award").number("awardId");
    }

    private static String version(ParsedEventPayload payload, String field) {
        return payload.number("strategyId") + "/" + payload.number(field);
    }

    private Deque<String> winnersOf(EventTableRow event) {
        return kept.computeIfAbsent(
                event.payload().number("activityId") + ReadModelFold.log(event), unknown -> new ArrayDeque<>());
    }

    private FoldedRow winner(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        ParsedEventPayload award = payload.in("award");
        FoldedRow row = new FoldedRow(
                Long.toString(event.position()),
                event.position(),
                Map.of(
                        "activity_id", Long.toString(payload.number("activityId")),
                        "name", masked(payload.text("userId")),
                        "award_id", Long.toString(award.number("awardId")),
                        "title", award.text("title"),
                        "type", award.text("type"),
                        "amount", award.has("amount") ? award.text("amount") : NOTHING,
                        "won_at", ReadModelFold.moment(payload.instant(payload.has("wonAt") ? "wonAt" : "drawnAt"))));
        Deque<String> winners = winnersOf(event);
        winners.addLast(row.key());
        if (winners.size() > KEPT_MAX) {
            winners.removeFirst();
        }
        return row;
    }

    /**
     * Masks a user id. For an e-mail address, a few characters before the last @ are shown, and nothing after it. The @
     * stays, so that a reader sees that it is an address.
     */
    static String masked(String userId) {
        int at = userId.lastIndexOf('@');
        return at < 1 ? ends(userId) : ends(userId.substring(0, at)) + "@" + STARS;
    }

    /**
     * Returns the text with only its ends shown: at most a third of the characters, and at most two at each end. If an
     * odd number is shown, the beginning gets one more.
     */
    private static String ends(String text) {
        List<String> characters = characters(text);
        int shown = Math.min(4, characters.size() / 3);
        int last = shown / 2;
        int first = shown - last;
        return String.join("", characters.subList(0, first))
                + STARS
                + String.join("", characters.subList(characters.size() - last, characters.size()));
    }

    /** Splits the text into visible characters as a reader perceives them. */
    private static List<String> characters(String text) {
        StringBuilder seen = new StringBuilder();
        text.codePoints()
                .filter(point -> point == ZERO_WIDTH_JOINER || Character.getType(point) != Character.FORMAT)
                .forEach(seen::appendCodePoint);
        BreakIterator ends = BreakIterator.getCharacterInstance(Locale.ROOT);
        ends.setText(seen.toString());
        List<String> characters = new ArrayList<>();
        int from = ends.first();
        for (int to = ends.next(); to != BreakIterator.DONE; to = ends.next()) {
            characters.add(seen.substring(from, to));
            from = to;
        }
        return characters;
    }
}
