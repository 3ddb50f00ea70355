package lottery.api.activity;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/**
 * An activity as the operator defines it.
 *
 * @param zone the time zone of its days and months
 * @param participationsMax how many chances all users together can spend in it; none: no limit
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
