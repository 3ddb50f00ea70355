package lottery.api.activity;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import lottery.api.choice.TreeId;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/**
 * An activity as the operator defines it.
 *
 * @param zone the time zone of its days and months
 * @param participationsMax how many chances all users together can spend in it; null if there is no limit
 * @param free the chances that each user has without a recharge; null if there are none
 * @param keysRequired whether every draw and order needs an idempotency key, even if a front sends it; null means no
 * @param audience the decision tree that must lead a user to this activity before the user may draw; null if everybody
 *     may draw
 * @param queued whether all draws wait in the queue, even if their requests do not ask for that; null means no
 * @param draw the plan to draw all entries together; null if each draw is decided at once
 * @param budget how much the awards may cost; null if there is no limit
 */
public record ActivityDefinition(
        String name,
        @Nullable String description,
        Instant beginsAt,
        Instant endsAt,
        ZoneId zone,
        StrategyId strategyId,
        @Nullable Integer participationsMax,
        @Nullable ChanceBundle free,
        @Nullable Boolean keysRequired,
        @Nullable TreeId audience,
        @Nullable Boolean queued,
        List<SkuOffer> skus,
        @Nullable DrawPlan draw,
        @Nullable Budget budget) {

    public ActivityDefinition {
        skus = List.copyOf(skus);
    }

    /** Creates the definition of an activity for everybody that draws at once. */
    public ActivityDefinition(
            String name,
            @Nullable String description,
            Instant beginsAt,
            Instant endsAt,
            ZoneId zone,
            StrategyId strategyId,
            @Nullable Integer participationsMax,
            @Nullable ChanceBundle free,
            @Nullable Boolean keysRequired,
            List<SkuOffer> skus) {
        this(
                name,
                description,
                beginsAt,
                endsAt,
                zone,
                strategyId,
                participationsMax,
                free,
                keysRequired,
                null,
                null,
                skus,
                null,
                null);
    }

    /** Returns the chances of a user who gets the free ones and each SKU once, counted by {@code kind}. */
    public long chances(ToIntFunction<ChanceBundle> kind) {
        return Stream.concat(Stream.ofNullable(free), skus.stream().map(SkuOffer::bundle))
                .mapToLong(kind::applyAsInt)
                .sum();
    }
}
