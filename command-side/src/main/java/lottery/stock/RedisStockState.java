package lottery.stock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The state of a stock whose units Redis gives, as this process knows it. */
final class RedisStockState {

    /** Who has failed to load it does not try again before this. */
    private static final Duration LOAD_AGAIN = Duration.ofSeconds(1);

    private static final int NEVER = 0;

    /** That Redis has the stock. Each is another one, so that only the one that was relied on is taken back. */
    static final class Loaded {

        private final int era;

        Loaded(int era) {
            this.era = era;
        }
    }

    private final ReentrantLock loading = new ReentrantLock();
    private final ClaimCheckInterval pace = new ClaimCheckInterval();
    private final AtomicReference<@Nullable Loaded> loaded = new AtomicReference<>();
    private volatile Instant loadAt = Instant.MIN;
    private volatile boolean astray;
    private volatile int soldOutOf = NEVER;

    ReentrantLock loading() {
        return loading;
    }

    ClaimCheckInterval pace() {
        return pace;
    }

    /** Null: Redis may not have it, or from an earlier era. */
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

    /** A claim was refused: Redis has forgotten it, or never knew. */
    void goneAstray() {
        astray = true;
        pace.soon();
    }

    boolean isAstray() {
        return astray;
    }

    void foundOut() {
        astray = false;
    }

    /** Whether nothing was left of so many, or more, when somebody looked. */
    boolean isSoldOut(int total) {
        return total <= soldOutOf;
    }

    void soldOut(int total) {
        soldOutOf = total;
    }

    /** Something has come back. */
    void notSoldOut() {
        soldOutOf = NEVER;
        pace.soon();
    }
}
