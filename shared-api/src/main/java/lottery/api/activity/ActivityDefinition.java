package lottery.api.activity;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/**
 * An activity as the operator describes it.
 *
 * @param zone where its days and months begin
 * @param participationsMax how many chances can be spent in it, by all users together; none: without end
 */
public record ActivityDefinition(
        String name,
        @Nullable String description,
        Instant beginsAt,
        Instant endsAt,
        ZoneId zone,
        StrategyId strategyId,
        @Nullable Integer participationsMax,
        List<SkuOffer> skus) {

    public ActivityDefinition {
        skus = List.copyOf(skus);
    }
}
