package lottery.api;

/** The size limit of stocks: of awards, SKUs and participations. */
public final class StockLimit {

    /** The largest stock. All its claims may be read at once, which takes about a second. */
    public static final int UNITS_MAX = 1_000_000;

    private StockLimit() {}
}
