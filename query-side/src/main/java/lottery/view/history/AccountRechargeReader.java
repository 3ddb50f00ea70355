package lottery.view.history;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargePage;
import lottery.api.account.RechargePage.ListedRecharge;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.activity.StartedActivityDefinitions;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
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

    private static final String PAGE = """
            SELECT * FROM view_recharge
            WHERE activity_id = :activityId AND user_id = :userId AND first_position < :below
              AND (:rechargeId::text IS NULL OR recharge_id = :rechargeId)
            ORDER BY first_position DESC LIMIT :max""";

    private final JdbcClient database;
    private final StartedActivityDefinitions activities;

    AccountRechargeReader(JdbcClient database, StartedActivityDefinitions activities) {
        this.database = database;
        this.activities = activities;
    }

    private record PositionedRecharge(long firstPosition, ListedRecharge recharge) {

        String cursor() {
            return new PageCursor(firstPosition).text();
        }
    }

    /**
     * The id of a recharge follows from its business number. So a recharge with a given number is found by its id, and
     * the column of the number need not be searched.
     */
    RechargePage answer(FindRecharges query) {
        String number = query.outBusinessNo();
        List<PositionedRecharge> found = database.sql(PAGE)
                .param("activityId", query.activityId().value())
                .param("userId", query.userId().value())
                .param("below", PageCursor.below(query.cursor()))
                .param(
                        "rechargeId",
                        number == null
                                ? null
                                : RechargeId.of(query.userId(), number).text())
                .param("max", query.limit() + 1)
                .query((row, _) -> found(row))
                .list();
        Page<PositionedRecharge> page = Paging.pageOf(found, query.limit(), PositionedRecharge::cursor);
        return new RechargePage(page.each(PositionedRecharge::recharge), page.next());
    }

    private PositionedRecharge found(ResultSet row) throws SQLException {
        SkuId sku = new SkuId(row.getLong("sku"));
        return new PositionedRecharge(
                row.getLong("first_position"),
                new ListedRecharge(
                        RechargeId.of(row.getString("recharge_id")),
                        sku,
                        row.getString("out_business_no"),
                        RechargeState.valueOf(row.getString("state")),
                        row.getInt("total"),
                        row.getInt("month"),
                        row.getInt("day"),
                        price(new ActivityId(row.getLong("activity_id")), sku),
                        row.getObject("ordered_at", OffsetDateTime.class).toInstant(),
                        time(row, "pay_by")));
    }

    private @Nullable BigDecimal price(ActivityId activityId, SkuId sku) {
        return activities.find(activityId).stream()
                .flatMap(activity -> activity.skus().stream())
                .filter(offer -> offer.sku().equals(sku))
                .findFirst()
                .map(offer -> offer.priceCredits())
                .orElse(null);
    }

    private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
