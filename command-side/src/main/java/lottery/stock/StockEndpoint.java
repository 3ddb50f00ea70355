package lottery.stock;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.activity.Campaign;
import lottery.activity.Campaigns;
import lottery.api.activity.ActivityId;
import lottery.stock.ActivityStock.PostgresStock;
import lottery.stock.ActivityStock.RedisStock;
import lottery.stock.ActivityStock.StockItem;
import lottery.stock.Circuit.State;
import lottery.strategy.Strategies;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The stock over REST: what the claims say, and what Redis believes. */
@RestController
class StockEndpoint {

    private record Limited(ShelfId shelf, @Nullable String title, int total) {}

    private final Campaigns campaigns;
    private final Strategies strategies;
    private final Ledger ledger;
    private final RedisShelves redis;
    private final Circuit circuit;

    StockEndpoint(Campaigns campaigns, Strategies strategies, Ledger ledger, RedisShelves redis, Circuit circuit) {
        this.campaigns = campaigns;
        this.strategies = strategies;
        this.ledger = ledger;
        this.redis = redis;
        this.circuit = circuit;
    }

    @GetMapping("/api/v1/activities/{activityId}/stock")
    ActivityStock getStock(@PathVariable ActivityId activityId) {
        List<Limited> limited = limited(campaigns.find(activityId).orRefuse());
        Map<String, Long> claimed =
                ledger.counts(limited.stream().map(each -> each.shelf().scope()).toList());
        return new ActivityStock(
                limited.stream().map(each -> onShelf(each, claimed)).toList());
    }

    /** Everything that there is only so much of in an activity. */
    private List<Limited> limited(Campaign campaign) {
        ActivityId activityId = campaign.activityId();
        Stream<Limited> awards = strategies.find(campaign.definition().strategyId()).stream()
                .flatMap(rules -> rules.definition().awards().stream())
                .flatMap(award -> limited(ShelfId.ofAward(activityId, award.awardId()), award.title(), award.stock()));
        Stream<Limited> skus = campaign.definition().skus().stream()
                .flatMap(offer -> limited(ShelfId.ofSku(activityId, offer.sku()), offer.title(), offer.stock()));
        Stream<Limited> participations = limited(
                ShelfId.ofActivity(activityId),
                campaign.definition().name(),
                campaign.definition().participationsMax());
        return Stream.of(awards, skus, participations).flatMap(each -> each).toList();
    }

    private static Stream<Limited> limited(ShelfId shelf, @Nullable String title, @Nullable Integer total) {
        return total == null ? Stream.empty() : Stream.of(new Limited(shelf, title, total));
    }

    private StockItem onShelf(Limited limited, Map<String, Long> claimed) {
        ShelfId shelf = limited.shelf();
        return new StockItem(
                shelf.kind(),
                Long.toString(shelf.number()),
                limited.title(),
                limited.total(),
                PostgresStock.of(claimed.getOrDefault(shelf.scope(), 0L), limited.total()),
                believed(shelf.scope(), limited.total()));
    }

    private RedisStock believed(String scope, int total) {
        State asked = circuit.state();
        if (asked.isClosed()) {
            try {
                return RedisStock.of(redis.contents(scope), total);
            } catch (RedisAway away) {
                circuit.lost(asked, away);
            }
        }
        return RedisStock.AWAY;
    }
}
