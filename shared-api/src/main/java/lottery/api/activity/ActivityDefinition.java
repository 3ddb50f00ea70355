package lottery.api.activity;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/**
 * A campaign as the operator describes it.
 *
 * @param zone where its days and months begin
 */
public record ActivityDefinition(
        String name,
        @Nullable String description,
        Instant beginsAt,
        Instant endsAt,
        ZoneId zone,
        StrategyId strategyId,
        List<SkuOffer> skus) {

    public ActivityDefinition {
        skus = List.copyOf(skus);
    }
}
