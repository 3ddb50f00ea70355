package lottery.stock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stock of an activity: how much of it is left.
 *
 * @param stocks its limited stocks; the name is part of the REST contract
 */
record ActivityStockReport(List<StockItem> stocks) {

    ActivityStockReport {
        stocks = List.copyOf(stocks);
    }

    /** The kind of a stock. */
    enum StockKind {
        AWARD,
        SKU,
        /** The participations in the activity. */
        ACTIVITY
    }

    /** @param id the id of the award or the SKU, or of the activity for its participations */
    record StockItem(StockKind kind, String id, @Nullable String title, int total, long taken, long free) {}
}
