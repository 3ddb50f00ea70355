package lottery.view.stock;

import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.store.projection.Projection;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects the holders of units. It follows the events, like all read models. The command side decides about units by
 * claims, so it does not use this projection.
 */
@Component
@ProcessingGroup("stock")
class TakenUnitProjection extends Projection<StockUnitHolder, TakenStockUnitRow> {

    private final JdbcOperations database;

    TakenUnitProjection(JdbcOperations database) {
        super(database, "view_unit", StockUnitHolder.class, TakenStockUnitRow.class);
        this.database = database;
    }

    /**
     * Counts the taken units anew after a replay. Usually the counts follow each change of a row, but they do not
     * notice that a new table replaces the old one.
     */
    @Override
    protected void replaced() {
        database.update("DELETE FROM view_stock");
        database.update("""
                INSERT INTO view_stock (activity_id, kind, number, taken)
                SELECT activity_id, kind, number, count(*) FROM view_unit GROUP BY activity_id, kind, number""");
    }

    @EventHandler
    void on(AwardEvent event) {
        switch (event) {
            case AwardWon won ->
                takes(
                        won.awardRecordId().text(),
                        won.activityId(),
                        StockUsage.LimitedKind.AWARD,
                        won.award().awardId(),
                        won.unit());
            case AwardForfeited _, AwardVoided _, AwardCompensated _ ->
                givesBack(event.awardRecordId().text());
            case AwardReleased _,
                    AwardClaimed _,
                    AwardAddressErased _,
                    AwardDispatched _,
                    AwardDispatchFailed _,
                    AwardGranted _,
                    AwardGrantRejected _,
                    AwardLeftToDesk _ -> {}
        }
    }

    @EventHandler
    void on(RechargeEvent event) {
        switch (event) {
            case RechargeOrdered ordered ->
                takes(ordered.rechargeId(), ordered.activityId(), ordered.sku(), ordered.unit());
            case RechargeCompleted completed ->
                takes(completed.rechargeId(), completed.activityId(), completed.sku(), completed.unit());
            case RechargeClosed closed -> givesBack(closed.rechargeId().text());
        }
    }

    private void takes(RechargeId rechargeId, ActivityId activityId, SkuId sku, @Nullable Integer unitNumber) {
        takes(rechargeId.text(), activityId, StockUsage.LimitedKind.SKU, sku.value(), unitNumber);
    }

    /**
     * Stores the holder of a unit that was taken. If the unit has no number, its stock is unlimited, and nothing is
     * stored.
     */
    private void takes(
            String holder,
            ActivityId activityId,
            StockUsage.LimitedKind kind,
            long number,
            @Nullable Integer unitNumber) {
        if (unitNumber != null) {
            TakenStockUnitRow unit = new TakenStockUnitRow(activityId.value(), kind, number, unitNumber);
            change(new StockUnitHolder(holder), _ -> unit);
        }
    }

    private void givesBack(String holder) {
        change(new StockUnitHolder(holder), _ -> null);
    }
}
