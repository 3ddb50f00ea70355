package lottery.stock;

import java.util.List;
import lottery.stock.RedisStockStore.Contents;
import org.jspecify.annotations.Nullable;

/**
 * The stock of an activity: what is left of it.
 *
 * @param shelves its limited stocks; the contract calls them so
 */
record ActivityStock(List<StockItem> shelves) {

    ActivityStock {
        shelves = List.copyOf(shelves);
    }

    /** @param id of the award, the SKU or the activity */
    record StockItem(
            StockId.StockKind kind,
            String id,
            @Nullable String title,
            int total,
            PostgresStock postgres,
            RedisStock redis) {}

    /** By the claims, which are what is true. */
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
     * By Redis.
     *
     * @param reserved of those that are taken: for draws that are not known to be committed
     */
    record RedisStock(
            RedisState state,
            @Nullable Long taken,
            @Nullable Long free,
            @Nullable Long reserved) {

        static final RedisStock AWAY = new RedisStock(RedisState.AWAY, null, null, null);

        static RedisStock of(Contents contents, int total) {
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
