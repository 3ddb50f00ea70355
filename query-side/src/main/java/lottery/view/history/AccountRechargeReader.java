package lottery.view.history;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargePage;
import lottery.api.account.RechargePage.ListedRecharge;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.store.projection.RowReader;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.activity.StartedActivityDefinitions;
import lottery.view.history.RechargeProjection.RechargeColumns;
import lottery.view.history.RechargeProjection.RechargeRowKey;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Reads the recharges of an account, one page at a time. */
@Component
class AccountRechargeReader {

    /**
     * Asks for the recharges of an account, the newest first.
     *
     * @param outBusinessNo the business number of the recharge that is asked for; null to ask for all recharges
     * @param cursor where the previous page ended; null for the first page
     */
    record FindRecharges(
            ActivityId activityId,
            UserId userId,
            @Nullable String outBusinessNo,
            @Nullable String cursor,
            int limit) implements Query<RechargePage> {}

    private record RechargeRow(RechargeRowKey key, RechargeColumns columns) {

        String cursor() {
            return new PageCursor(columns.firstPosition()).text();
        }
    }

    private final RowReader<RechargeRowKey, RechargeColumns> rows;
    private final StartedActivityDefinitions activities;

    AccountRechargeReader(JdbcOperations database, StartedActivityDefinitions activities) {
        this.rows = new RowReader<>(database, RechargeProjection.TABLE, RechargeRowKey.class, RechargeColumns.class);
        this.activities = activities;
    }

    RechargePage answer(FindRecharges query) {
        Page<RechargeRow> page = Paging.pageOf(find(query, query.limit() + 1), query.limit(), RechargeRow::cursor);
        return new RechargePage(page.each(this::listed), page.next());
    }

    /**
     * The id of a recharge follows from its business number. So a recharge with a given number is found by its id, and
     * the column of the number need not be searched.
     */
    private List<RechargeRow> find(FindRecharges query, int limit) {
        long activityId = query.activityId().value();
        String userId = query.userId().value();
        long below = PageCursor.below(query.cursor());
        String number = query.outBusinessNo();
        return number == null
                ? rows.find(
                        RechargeRow::new,
                        "activity_id = ? AND user_id = ? AND first_position < ? ORDER BY first_position DESC LIMIT ?",
                        activityId,
                        userId,
                        below,
                        limit)
                : rows.find(
                        RechargeRow::new,
                        "activity_id = ? AND user_id = ? AND first_position < ? AND recharge_id = ?",
                        activityId,
                        userId,
                        below,
                        RechargeId.of(query.userId(), number).text());
    }

    private ListedRecharge listed(RechargeRow row) {
        RechargeColumns recharge = row.columns();
        SkuId sku = new SkuId(recharge.sku());
        return new ListedRecharge(
                RechargeId.of(row.key().rechargeId()),
                sku,
                recharge.outBusinessNo(),
                recharge.state(),
                recharge.total(),
                recharge.month(),
                recharge.day(),
                price(new ActivityId(recharge.activityId()), sku),
                recharge.orderedAt(),
                recharge.payBy());
    }

    private @Nullable BigDecimal price(ActivityId activityId, SkuId sku) {
        return activities.find(activityId).stream()
                .flatMap(activity -> activity.skus().stream())
                .filter(offer -> offer.sku().equals(sku))
                .findFirst()
                .map(offer -> offer.priceCredits())
                .orElse(null);
    }
}
