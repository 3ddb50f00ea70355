package lottery.api;

/** The size limit of stocks: of awards, SKUs and participations. */
public final class StockLimit {

    /** The most units that a stock may have. */
    public static final int UNITS_MAX = 1_000_000;

    private StockLimit() {}
}
