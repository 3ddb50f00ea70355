package lottery.api.activity;

/** How often one user can have a SKU. */
public record SkuLimit(int max, Period period) {

    public static final int SKUS_MAX = 10_000;

    /** Days and months are in the activity's zone. */
    public enum Period {
        DAY,
        MONTH,
        EVER
    }

    public SkuLimit {
        if (max < 1 || max > SKUS_MAX) {
            throw new IllegalArgumentException("a limit is 1 to " + SKUS_MAX);
        }
    }
}
