package lottery.stock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The knowledge of this process about a stock whose units Redis allocates. */
final class RedisStockLoadState {

    /** The pause after a failed load. */
    private static final Duration LOAD_AGAIN = Duration.ofSeconds(1);

    private static final int NEVER = 0;

    /**
     * Stands for one load of the stock into Redis. If Redis turns out not to have the stock, only the load on which the
     * caller relied is revoked, and not a newer one.
     */
    static final class StockLoad {

        private final int era;

        StockLoad(int era) {
            this.era = era;
        }
    }

    private final ReentrantLock loading = new ReentrantLock();
    private final StockClaimLookupPacer pace = new StockClaimLookupPacer();
    private final AtomicReference<@Nullable StockLoad> loaded = new AtomicReference<>();
    private volatile Instant loadAt = Instant.MIN;
    private volatile boolean astray;
    private volatile int soldOutOf = NEVER;

    ReentrantLock loading() {
        return loading;
    }

    StockClaimLookupPacer pace() {
        return pace;
    }

    /** Returns the load of this era; null if Redis may not have the stock. */
    @Nullable
    StockLoad loadedIn(int era) {
        StockLoad last = loaded.get();
        return last != null && last.era == era ? last : null;
    }

    StockLoad loadedNow(int era) {
        StockLoad now = new StockLoad(era);
        loaded.set(now);
        return now;
    }

    void lost(StockLoad reliedOn) {
        loaded.compareAndSet(reliedOn, null);
    }

    boolean isTimeToLoad(Instant now) {
        return !now.isBefore(loadAt);
    }

    void notLoaded(Instant now) {
        loadAt = now.plus(LOAD_AGAIN);
    }

    /**
     * Records that PostgreSQL has refused a claim for a unit that Redis had given. Redis has lost the real holder of
     * the unit, or never knew this holder.
     */
    void recordRefusedClaim() {
        astray = true;
        pace.soon();
    }

    boolean hasRefusedClaim() {
        return astray;
    }

    void clearRefusedClaim() {
        astray = false;
    }

    /** Returns whether no unit was left at the last check, with this total or a larger one. */
    boolean isSoldOut(int total) {
        return total <= soldOutOf;
    }

    void soldOut(int total) {
        soldOutOf = total;
    }

    /** Records that a unit has come back. */
    void notSoldOut() {
        soldOutOf = NEVER;
        pace.soon();
    }
}
