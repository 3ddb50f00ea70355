package lottery.api.activity;

import org.jspecify.annotations.Nullable;

/** A bundle of chances that can be had in an activity. */
public record SkuOffer(Sku sku, @Nullable String title, Bundle bundle) {}
