package lottery.stock;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.activity.ActivityId;
import lottery.stock.ActivityStockReport.PostgresStock;
import lottery.stock.ActivityStockReport.RedisStock;
import lottery.stock.ActivityStockReport.StockItem;
import lottery.stock.RedisCircuitBreaker.CircuitState;
import lottery.strategy.StrategyCache;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows stock over REST, as the claims in PostgreSQL have it and as Redis has it. */
@RestController
@Tag(name = "Stock", description = "The remaining stock of awards, SKUs and participations.")
class StockReportEndpoint {

    private record LimitedStock(StockId stockId, @Nullable String title, int total) {}

    private final ActivityCache activities;
    private final StrategyCache strategies;
    private final StockClaimQueries claimQueries;
    private final RedisStockStore redis;
    private final RedisCircuitBreaker circuit;

    StockReportEndpoint(
            ActivityCache activities,
            StrategyCache strategies,
            StockClaimQueries claimQueries,
            RedisStockStore redis,
            RedisCircuitBreaker circuit) {
        this.activities = activities;
        this.strategies = strategies;
        this.claimQueries = claimQueries;
        this.redis = redis;
        this.circuit = circuit;
    }

    @Operation(summary = "Show what is left of limited stock", description = """
                    Returns each limited award, each limited SKU and the limit on participations. For each it shows the
                    number of units, the number taken in PostgreSQL, which decides, and the number in Redis.""")
    @GetMapping("/api/v1/activities/{activityId}/stock")
    ActivityStockReport getStock(@PathVariable ActivityId activityId) {
        List<LimitedStock> limited = limited(activities.find(activityId).orThrow());
        Map<String, Long> claimed = claimQueries.counts(
                limited.stream().map(each -> each.stockId().scope()).toList());
        return new ActivityStockReport(
                limited.stream().map(each -> stockItem(each, claimed)).toList());
    }

    /** Returns all limited stocks of an activity. */
    private List<LimitedStock> limited(ActivityProgress activity) {
        ActivityId activityId = activity.activityId();
        Stream<LimitedStock> awards = activity.rulesIn(strategies).stream()
                .flatMap(rules -> rules.definition().awards().stream())
                .flatMap(award -> limited(StockId.ofAward(activityId, award.awardId()), award.title(), award.stock()));
        Stream<LimitedStock> skus = activity.definition().skus().stream()
                .flatMap(offer -> limited(StockId.ofSku(activityId, offer.sku()), offer.title(), offer.stock()));
        Stream<LimitedStock> participations = limited(
                StockId.ofActivity(activityId),
                activity.definition().name(),
                activity.definition().participationsMax());
        return Stream.of(awards, skus, participations).flatMap(each -> each).toList();
    }

    private static Stream<LimitedStock> limited(StockId stockId, @Nullable String title, @Nullable Integer total) {
        return total == null ? Stream.empty() : Stream.of(new LimitedStock(stockId, title, total));
    }

    private StockItem stockItem(LimitedStock limited, Map<String, Long> claimed) {
        StockId stockId = limited.stockId();
        return new StockItem(
                stockId.kind(),
                Long.toString(stockId.number()),
                limited.title(),
                limited.total(),
                PostgresStock.of(claimed.getOrDefault(stockId.scope(), 0L), limited.total()),
                believed(stockId.scope(), limited.total()));
    }

    private RedisStock believed(String scope, int total) {
        CircuitState circuitState = circuit.state();
        if (circuitState.isClosed()) {
            try {
                return RedisStock.of(redis.contents(scope), total);
            } catch (RedisUnavailableException away) {
                circuit.open(circuitState, away);
            }
        }
        return RedisStock.AWAY;
    }
}
