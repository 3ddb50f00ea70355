package lottery.view.wins;

import java.util.List;
import java.util.Optional;
import lottery.api.award.FindWin;
import lottery.api.award.FindWins;
import lottery.api.award.Win;
import lottery.api.award.Wins;
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
        boolean more = found.size() > query.limit();
        List<WinRow> page = more ? found.subList(0, query.limit()) : found;
        return new Wins(
                page.stream().map(WinRow::toWin).toList(),
                more ? page.getLast().cursor().text() : null);
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
