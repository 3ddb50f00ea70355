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
 * @param participationsMax how many chances all users together can spend in it; none: no limit
 * @param free the chances that each user has without a recharge; none: no chances
 * @param keysRequired whether every draw and order needs a key, also those that a front sends; none: no
 * @param audience the decision tree that leads the users who may draw to this activity; none: everybody may
 * @param queued whether draws wait in the queue even if their requests do not ask for that; none: no
 * @param draw when all entries are drawn together; none: each draw is decided at once
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
        @Nullable DrawPlan draw) {

    public ActivityDefinition {
        skus = List.copyOf(skus);
    }

    /** Describes an activity for everybody that draws at once. */
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
                null);
    }

    /** Returns the chances of a user who gets the free ones and each SKU once, as numbers of one kind. */
    public long chances(ToIntFunction<ChanceBundle> kind) {
        return Stream.concat(Stream.ofNullable(free), skus.stream().map(SkuOffer::bundle))
                .mapToLong(kind::applyAsInt)
                .sum();
    }
}
