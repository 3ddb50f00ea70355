package lottery.view.winners;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import lottery.api.activity.ActivityId;
import lottery.api.award.Winners.Winner;
import lottery.api.strategy.AwardType;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Component;

/** Reads the table of winners. A row never appears after a row with a higher position. */
@Component
class WinnerRowRepository {

    private static final String COLUMNS =
            "SELECT position, activity_id, name, award_id, title, type, amount, won_at FROM view_winner ";

    /** A winner, and the activity in which the winner has won. */
    record ActivityWinner(long activityId, Winner winner) {}

    private static final RowMapper<ActivityWinner> ROW = (row, _) -> {
        Instant wonAt = row.getTimestamp("won_at").toInstant();
        return new ActivityWinner(
                row.getLong("activity_id"),
                new Winner(
                        row.getLong("position"),
                        row.getString("name"),
                        row.getInt("award_id"),
                        row.getString("title"),
                        AwardType.valueOf(row.getString("type")),
                        row.getBigDecimal("amount"),
                        wonAt));
    };

    private final JdbcOperations database;

    WinnerRowRepository(JdbcOperations database) {
        this.database = database;
    }

    List<Winner> newest(ActivityId activityId, int limit) {
        return winners(database.query(
                COLUMNS + "WHERE activity_id = ? ORDER BY position DESC LIMIT ?", ROW, activityId.value(), limit));
    }

    /** Returns winners of one activity, the oldest first. */
    List<Winner> between(ActivityId activityId, long after, long upTo) {
        return winners(database.query(
                COLUMNS + "WHERE activity_id = ? AND position > ? AND position <= ? ORDER BY position",
                ROW,
                activityId.value(),
                after,
                upTo));
    }

    private static List<Winner> winners(List<ActivityWinner> rows) {
        return rows.stream().map(ActivityWinner::winner).toList();
    }

    /** Returns winners of all activities, the oldest first. */
    List<ActivityWinner> after(long position, int max) {
        return database.query(COLUMNS + "WHERE position > ? ORDER BY position LIMIT ?", ROW, position, max);
    }

    /** Returns the position of the newest winner; 0 if there is none. */
    long last() {
        return Objects.requireNonNull(
                database.queryForObject("SELECT coalesce(max(position), 0) FROM view_winner", Long.class));
    }
}
