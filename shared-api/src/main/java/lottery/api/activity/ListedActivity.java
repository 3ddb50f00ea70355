package lottery.api.activity;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/** A campaign as whoever asks sees it, in the words in which it was described, and its state. */
public record ListedActivity(
        ActivityId activityId,
        ActivityState state,
        String name,
        @Nullable String description,
        Instant beginsAt,
        Instant endsAt,
        ZoneId zone,
        StrategyId strategyId,
        @Nullable Integer participationsMax,
        List<Offer> skus) {

    /** A bundle of chances that can be had. */
    public record Offer(
            Sku sku,
            @Nullable String title,
            int total,
            int month,
            int day,
            @Nullable Integer stock) {

        static Offer of(SkuOffer offer) {
            Bundle bundle = offer.bundle();
            return new Offer(offer.sku(), offer.title(), bundle.total(), bundle.month(), bundle.day(), offer.stock());
        }
    }

    public ListedActivity {
        skus = List.copyOf(skus);
    }

    public static ListedActivity of(ActivityId activityId, ActivityState state, ActivityDefinition definition) {
        return new ListedActivity(
                activityId,
                state,
                definition.name(),
                definition.description(),
                definition.beginsAt(),
                definition.endsAt(),
                definition.zone(),
                definition.strategyId(),
                definition.participationsMax(),
                definition.skus().stream().map(Offer::of).toList());
    }
}
