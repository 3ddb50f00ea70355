package lottery.view.wins;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.Win;
import lottery.api.award.Wins;
import lottery.api.strategy.AwardType;
import lottery.store.projection.RowReader;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.wins.WinProjection.WinColumns;
import lottery.view.wins.WinProjection.WinRowKey;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Answers the queries about won awards. */
@Component
class WinReader {

    /** Asks for one won award. */
    record FindWin(AwardRecordId awardRecordId) implements Query<Optional<Win>> {}

    /**
     * Asks for the awards that a user has won, the newest first.
     *
     * @param cursor where the previous page ended; null for the first page
     */
    record FindWins(
            ActivityId activityId, UserId userId, @Nullable String cursor, int limit) implements Query<Wins> {}

    /** The key of the text in an award's configuration. This text is meant for the winner. */
    private static final String TEXT = "text";

    private static final String NEWEST = " ORDER BY won_at DESC, award_record_id DESC LIMIT ?";

    private final RowReader<WinRowKey, WinColumns> rows;
    private final EventStore events;

    WinReader(JdbcOperations database, EventStore events) {
        this.rows = new RowReader<>(database, WinProjection.TABLE, WinRowKey.class, WinColumns.class);
        this.events = events;
    }

    Optional<Win> answer(FindWin query) {
        return rows
                .find(WinRow::new, "award_record_id = ?", query.awardRecordId().text())
                .stream()
                .findFirst()
                .map(WinRow::toWin)
                .map(this::withText);
    }

    /**
     * Returns the win with the text of its award. The text is read from the log and is not in the table, because it may
     * be long, and few callers read it.
     */
    private Win withText(Win win) {
        boolean isReadable = win.award().type() == AwardType.TEXT && win.state() == AwardState.GRANTED;
        return isReadable
                        && events.readEvents(win.awardRecordId().text()).next().getPayload() instanceof AwardWon won
                ? win.with(won.config().get(TEXT))
                : win;
    }

    Wins answer(FindWins query) {
        // One item more than asked for shows whether there is a next page.
        List<WinRow> found = find(query, query.limit() + 1);
        Page<WinRow> page =
                Paging.pageOf(found, query.limit(), win -> win.cursor().text());
        return new Wins(page.each(WinRow::toWin), page.next());
    }

    /** Compares the pair in the order of the index, so that a page begins where the previous one ended. */
    private List<WinRow> find(FindWins query, int limit) {
        long activityId = query.activityId().value();
        String userId = query.userId().value();
        if (query.cursor() == null) {
            return rows.find(WinRow::new, "activity_id = ? AND user_id = ?" + NEWEST, activityId, userId, limit);
        }
        WinCursor cursor = WinCursor.of(query.cursor()).orElseThrow(() -> new IllegalArgumentException("not a cursor"));
        return rows.find(
                WinRow::new,
                "activity_id = ? AND user_id = ? AND (won_at, award_record_id) < (?, ?)" + NEWEST,
                activityId,
                userId,
                cursor.wonAt().atOffset(ZoneOffset.UTC),
                cursor.awardRecordId().text(),
                limit);
    }
}
