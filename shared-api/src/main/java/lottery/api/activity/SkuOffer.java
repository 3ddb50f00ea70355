package lottery.api.activity;

import org.jspecify.annotations.Nullable;

/**
 * A bundle of chances that can be had in an activity.
 *
 * @param stock how often it can be had, by all users together; none: without end
 */
public record SkuOffer(
        Sku sku,
        @Nullable String title,
        Bundle bundle,
        @Nullable Integer stock) {}
