package lottery.view.wins;

import java.util.List;
import java.util.Optional;
import lottery.api.award.FindWin;
import lottery.api.award.FindWins;
import lottery.api.award.Win;
import lottery.api.award.Wins;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

@Component
class WinsAnswers {

    private final WinRows rows;

    WinsAnswers(WinRows rows) {
        this.rows = rows;
    }

    @QueryHandler
    Optional<Win> answer(FindWin query) {
        return rows.findById(query.awardRecordId().text()).map(WinRow::toWin);
    }

    @QueryHandler
    Wins answer(FindWins query) {
        // One more than asked for shows whether there is a next page.
        List<WinRow> found = find(query, Limit.of(query.limit() + 1));
        Page<WinRow> page = Paging.cut(found, query.limit(), win -> win.cursor().text());
        return new Wins(page.each(WinRow::toWin), page.next());
    }

    private List<WinRow> find(FindWins query, Limit limit) {
        long activityId = query.activityId().value();
        String userId = query.userId().value();
        if (query.cursor() == null) {
            return rows.newest(activityId, userId, limit);
        }
        WinCursor cursor = WinCursor.of(query.cursor()).orElseThrow(() -> new IllegalArgumentException("not a cursor"));
        return rows.newestBefore(
                activityId, userId, cursor.wonAt(), cursor.awardRecordId().text(), limit);
    }
}
