package lottery.view.winners;

import static java.util.Comparator.comparing;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.activity.ActivityId;
import lottery.api.award.Winners.Winner;
import lottery.api.strategy.AwardType;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.log.MergedPages;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.stereotype.Component;

/** Reads the tables of winners in all logs. In each, a row never appears after a row with a higher position. */
@Component
class WinnerRowRepository {

    private static final String COLUMNS =
            "SELECT position, activity_id, name, award_id, title, type, amount, won_at FROM view_winner ";

    private static final Comparator<WinnerRow> OLDEST_FIRST = comparing(WinnerRow::wonAt);

    private static final Duration READ_MAX = Duration.ofMillis(500);

    private final Logs logs;

    WinnerRowRepository(Logs logs) {
        this.logs = logs;
    }

    /** A winner, with the place in the log in which the winner has won. */
    record WinnerRow(
            int log,
            long position,
            long activityId,
            String name,
            int awardId,
            String title,
            AwardType type,
            @Nullable BigDecimal amount,
            Instant wonAt) {

        /** @param upTo the positions of all winners up to this one */
        Winner winner(WinnerPositions upTo) {
            return new Winner(upTo.text(), name, awardId, title, type, amount, wonAt);
        }
    }

    /**
     * Returns the newest winners of an activity, the newest first, without those of logs that do not answer in time.
     */
    List<Winner> newest(ActivityId activityId, int limit) {
        Map<Log, List<WinnerRow>> found = logs.readReachable(
                READ_MAX,
                log -> rows(
                        log,
                        COLUMNS + "WHERE activity_id = ? ORDER BY position DESC LIMIT ?",
                        activityId.value(),
                        limit));
        List<List<WinnerRow>> rows = logs.all().stream()
                .map(log -> found.getOrDefault(log, List.of()))
                .toList();
        WinnerPositions upTo = new WinnerPositions(logs.all().stream()
                .map(log -> found.containsKey(log) ? newest(found.get(log)) : WinnerPositions.FROM_NOW_ON)
                .toList());
        List<Winner> winners = new ArrayList<>();
        for (WinnerRow row : MergedPages.merge(rows, OLDEST_FIRST.reversed(), limit)) {
            winners.add(row.winner(upTo.with(row.log(), row.position())));
            // The next winner comes before this one, in whichever log.
            upTo = upTo.with(row.log(), row.position() - 1);
        }
        return winners;
    }

    private static long newest(List<WinnerRow> rows) {
        return rows.isEmpty() ? 0 : rows.getFirst().position();
    }

    /**
     * Returns winners of one activity, the oldest first.
     *
     * @throws TransientDataAccessResourceException if a log that may have some does not answer in time
     */
    List<WinnerRow> between(ActivityId activityId, WinnerPositions after, WinnerPositions upTo) {
        Map<Log, List<WinnerRow>> found = logs.readReachable(
                READ_MAX,
                log -> rows(
                        log,
                        COLUMNS + "WHERE activity_id = ? AND position > ? AND position <= ? ORDER BY position",
                        activityId.value(),
                        after.of(log.number()),
                        upTo.of(log.number())));
        for (Log log : logs.all()) {
            if (!found.containsKey(log) && after.of(log.number()) < upTo.of(log.number())) {
                throw new TransientDataAccessResourceException("the winners of %s cannot be read now".formatted(log));
            }
        }
        return MergedPages.merge(List.copyOf(found.values()), OLDEST_FIRST, Integer.MAX_VALUE);
    }

    /** Returns winners of all activities in one log, the oldest first. */
    List<WinnerRow> after(Log log, long position, int max) {
        return rows(log, COLUMNS + "WHERE position > ? ORDER BY position LIMIT ?", position, max);
    }

    /** Returns the positions of the newest winners; empty if a log does not answer in time. */
    Optional<WinnerPositions> last() {
        Map<Log, Long> found = logs.readReachable(
                READ_MAX,
                log -> log.sql()
                        .sql("SELECT coalesce(max(position), 0) FROM view_winner")
                        .query(Long.class)
                        .single());
        return found.size() == logs.all().size()
                ? Optional.of(
                        new WinnerPositions(logs.all().stream().map(found::get).toList()))
                : Optional.empty();
    }

    private static List<WinnerRow> rows(Log log, String query, Object... parameters) {
        return log.sql()
                .sql(query)
                .params(parameters)
                .query((row, _) -> new WinnerRow(
                        log.number(),
                        row.getLong("position"),
                        row.getLong("activity_id"),
                        row.getString("name"),
                        row.getInt("award_id"),
                        row.getString("title"),
                        AwardType.valueOf(row.getString("type")),
                        row.getBigDecimal("amount"),
                        row.getTimestamp("won_at").toInstant()))
                .list();
    }
}
