package lottery.stock;

import java.util.List;
import lottery.stock.RedisStockStore.RedisStockContents;
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

    /** @param id the id of the award or the SKU, or of the activity for its participations */
    record StockItem(
            StockId.StockKind kind,
            String id,
            @Nullable String title,
            int total,
            PostgresStock postgres,
            RedisStock redis) {}

    /** The stock by the claims in PostgreSQL, which decide who has which unit. */
    record PostgresStock(long taken, long free) {

        static PostgresStock of(long taken, int total) {
            return new PostgresStock(taken, Math.max(0, total - taken));
        }
    }

    enum RedisState {
        LOADED,
        NOT_LOADED,
        AWAY
    }

    /**
     * The stock by the data in Redis, which can be out of date.
     *
     * @param reserved how many of the taken units belong to draws that are not known to be committed
     */
    record RedisStock(
            RedisState state,
            @Nullable Long taken,
            @Nullable Long free,
            @Nullable Long reserved) {

        static final RedisStock AWAY = new RedisStock(RedisState.AWAY, null, null, null);

        static RedisStock of(RedisStockContents contents, int total) {
            return contents.isLoaded()
                    ? new RedisStock(
                            RedisState.LOADED,
                            contents.taken(),
                            Math.max(0, total - contents.taken()),
                            contents.reserved())
                    : new RedisStock(RedisState.NOT_LOADED, null, null, null);
        }
    }
}
