package lottery.api;

/** The size limit of stocks: of awards, SKUs and participations. */
public final class StockLimit {

    /**
     * The most units that a stock may have. A process sometimes has to read all claims of a stock. For a stock of this
     * size, this takes about a second.
     */
    public static final int UNITS_MAX = 1_000_000;

    private StockLimit() {}
}
