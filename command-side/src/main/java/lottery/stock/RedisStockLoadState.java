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
     * Records that Redis has the stock. Each load has its own object, so that only the load that was relied on is
     * revoked.
     */
    static final class Loaded {

        private final int era;

        Loaded(int era) {
            this.era = era;
        }
    }

    private final ReentrantLock loading = new ReentrantLock();
    private final StockClaimCheckPacer pace = new StockClaimCheckPacer();
    private final AtomicReference<@Nullable Loaded> loaded = new AtomicReference<>();
    private volatile Instant loadAt = Instant.MIN;
    private volatile boolean astray;
    private volatile int soldOutOf = NEVER;

    ReentrantLock loading() {
        return loading;
    }

    StockClaimCheckPacer pace() {
        return pace;
    }

    /** Returns the load of this era; null if Redis may not have the stock. */
    @Nullable
    Loaded loadedIn(int era) {
        Loaded last = loaded.get();
        return last != null && last.era == era ? last : null;
    }

    Loaded loadedNow(int era) {
        Loaded now = new Loaded(era);
        loaded.set(now);
        return now;
    }

    void lost(Loaded reliedOn) {
        loaded.compareAndSet(reliedOn, null);
    }

    boolean isTimeToLoad(Instant now) {
        return !now.isBefore(loadAt);
    }

    void notLoaded(Instant now) {
        loadAt = now.plus(LOAD_AGAIN);
    }

    /** Records that a claim was refused, because Redis has forgotten the unit's holder or never knew it. */
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
