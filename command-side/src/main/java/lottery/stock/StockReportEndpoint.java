package lottery.stock;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.activity.ActivityId;
import lottery.api.activity.StockId;
import lottery.stock.ActivityStockReport.StockItem;
import lottery.stock.ActivityStockReport.StockKind;
import lottery.store.axon.LimitedCounters;
import lottery.strategy.StrategyCache;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST how much of limited stock is taken. */
@RestController
@Tag(name = "Stock", description = "The remaining stock of awards, SKUs and participations.")
class StockReportEndpoint {

    private record LimitedStock(
            StockKind kind,
            long number,
            StockId stockId,
            @Nullable String title,
            int total) {}

    private final ActivityCache activities;
    private final StrategyCache strategies;
    private final LimitedCounters counters;

    StockReportEndpoint(ActivityCache activities, StrategyCache strategies, LimitedCounters counters) {
        this.activities = activities;
        this.strategies = strategies;
        this.counters = counters;
    }

    @Operation(summary = "Show what is left of limited stock", description = """
                    Returns each limited award, each limited SKU and the limit on participations. For each it shows the
                    number of units, and how many of them are taken and free.""")
    @GetMapping("/api/v1/activities/{activityId}/stock")
    ActivityStockReport getStock(@PathVariable ActivityId activityId) {
        List<LimitedStock> limited = limited(activities.find(activityId).orThrow());
        Map<String, Long> taken = counters.taken(
                limited.stream().map(each -> each.stockId().counter()).toList());
        return new ActivityStockReport(
                limited.stream().map(each -> stockItem(each, taken)).toList());
    }

    /** Returns all limited stocks of an activity. */
    private List<LimitedStock> limited(ActivityProgress activity) {
        ActivityId activityId = activity.activityId();
        Stream<LimitedStock> awards = activity.rulesIn(strategies).stream()
                .flatMap(rules -> rules.definition().awards().stream())
                .flatMap(award -> limited(
                        StockKind.AWARD,
                        award.awardId(),
                        StockId.ofAward(activityId, award.awardId()),
                        award.title(),
                        award.stock()));
        Stream<LimitedStock> skus = activity.definition().skus().stream()
                .flatMap(offer -> limited(
                        StockKind.SKU,
                        offer.sku().value(),
                        StockId.ofSku(activityId, offer.sku()),
                        offer.title(),
                        offer.stock()));
        Stream<LimitedStock> participations = limited(
                StockKind.ACTIVITY,
                activityId.value(),
                StockId.ofActivity(activityId),
                activity.definition().name(),
                activity.definition().participationsMax());
        return Stream.of(awards, skus, participations).flatMap(each -> each).toList();
    }

    private static Stream<LimitedStock> limited(
            StockKind kind, long number, StockId stockId, @Nullable String title, @Nullable Integer total) {
        return total == null ? Stream.empty() : Stream.of(new LimitedStock(kind, number, stockId, title, total));
    }

    private static StockItem stockItem(LimitedStock limited, Map<String, Long> takenUnits) {
        long taken = takenUnits.getOrDefault(limited.stockId().counter(), 0L);
        return new StockItem(
                limited.kind(),
                Long.toString(limited.number()),
                limited.title(),
                limited.total(),
                taken,
                Math.max(0, limited.total() - taken));
    }
}
