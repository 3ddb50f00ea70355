package lottery.api;

/** The size limit of stocks: of awards, SKUs and participations. */
public final class StockLimit {

    /**
     * The most units of a stock. All claims of a stock may have to be read, and for so many units this takes about a
     * second.
     */
    public static final int UNITS_MAX = 1_000_000;

    private StockLimit() {}
}
