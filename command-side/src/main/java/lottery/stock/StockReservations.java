package lottery.stock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import lottery.stock.ClaimCheckInterval.Found;
import lottery.stock.RedisCircuitBreaker.State;
import lottery.stock.RedisStockState.Loaded;
import lottery.stock.RedisStockStore.Contents;
import lottery.stock.RedisStockStore.NotLoaded;
import lottery.stock.RedisStockStore.Offer;
import lottery.stock.RedisStockStore.OfferedUnit;
import lottery.stock.RedisStockStore.SoldOut;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Asks Redis for units, and makes sure that it knows what it says: a stock is loaded before it is relied on, and a no
 * is compared with the claims.
 */
@Component
class StockReservations {

    /** Asked, loaded, and asked again; once more if memory is lost in between. */
    private static final int ROUNDS_MAX = 3;

    /** While one draw loads a stock, the others wait for it. */
    private static final Duration LOAD_WAIT_MAX = Duration.ofSeconds(2);

    private final RedisStockStore redis;
    private final RedisStockLoader loader;
    private final StockClaims claimQueries;
    private final InstantSource clock;

    StockReservations(RedisStockStore redis, RedisStockLoader loader, StockClaims claimQueries, InstantSource clock) {
        this.redis = redis;
        this.loader = loader;
        this.claimQueries = claimQueries;
        this.clock = clock;
    }

    /** Not loaded: it could not be, and there is no unit from Redis now. */
    Offer take(String scope, RedisStockState known, int total, String holder, State circuit) throws RedisAway {
        if (isSoldOut(scope, known, total)) {
            return new SoldOut();
        }
        Offer offer = new NotLoaded();
        for (int round = 0; round < ROUNDS_MAX && !(offer instanceof OfferedUnit); round++) {
            Loaded loaded = load(scope, known, circuit);
            if (loaded == null) {
                return new NotLoaded();
            }
            offer = redis.reserve(scope, holder, total, clock.instant());
            if (offer instanceof NotLoaded) {
                known.lost(loaded);
            }
            if (offer instanceof SoldOut && isSoldOutByTheClaims(scope, known, total)) {
                return offer;
            }
        }
        return offer instanceof OfferedUnit ? offer : new NotLoaded();
    }

    /** As far as this process knows; one of those who ask looks from time to time. */
    boolean isSoldOut(String scope, RedisStockState known, int total) throws RedisAway {
        if (known.isSoldOut(total)) {
            known.pace().lookIfDue(clock, () -> find(scope, known, total));
        }
        return known.isSoldOut(total);
    }

    /** What Redis says is no answer before the claims agree; who finds somebody else looking looks, too. */
    private boolean isSoldOutByTheClaims(String scope, RedisStockState known, int total) throws RedisAway {
        boolean hasLooked = known.pace().lookIfDue(clock, () -> find(scope, known, total));
        if (!hasLooked && !known.isSoldOut(total)) {
            find(scope, known, total);
        }
        return known.isSoldOut(total);
    }

    /** Null: it cannot be loaded now. */
    private @Nullable Loaded load(String scope, RedisStockState known, State circuit) throws RedisAway {
        Loaded loaded = known.loadedIn(circuit.era());
        if (loaded == null) {
            return loadFirst(scope, known, circuit);
        }
        if (known.isAstray()) {
            known.pace().lookIfDue(clock, () -> {
                known.foundOut();
                loader.load(scope);
                return Found.UNITS;
            });
        }
        return loaded;
    }

    private @Nullable Loaded loadFirst(String scope, RedisStockState known, State circuit) throws RedisAway {
        if (!known.isTimeToLoad(clock.instant()) || !isMyTurn(known)) {
            return null;
        }
        try {
            Loaded loaded = known.loadedIn(circuit.era());
            if (loaded != null || !known.isTimeToLoad(clock.instant())) {
                return loaded;
            }
            known.foundOut();
            if (loader.load(scope)) {
                return known.loadedNow(circuit.era());
            }
            known.notLoaded(clock.instant());
            return null;
        } finally {
            known.loading().unlock();
        }
    }

    private static boolean isMyTurn(RedisStockState known) {
        try {
            return known.loading().tryLock(LOAD_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Compares what Redis says with the claims. A bitmap in which too many are taken must not leave units lying. */
    private Found find(String scope, RedisStockState known, int total) throws RedisAway {
        boolean wasSoldOut = known.isSoldOut(total);
        long claimed = claimQueries.count(scope);
        if (claimed >= total) {
            known.soldOut(total);
            return wasSoldOut ? Found.NONE_STILL : Found.NONE_NOW;
        }
        if (hasUnits(scope, claimed, total)) {
            known.notSoldOut();
            return Found.UNITS;
        }
        known.soldOut(total);
        return Found.NONE_NOW;
    }

    private boolean hasUnits(String scope, long claimed, int total) throws RedisAway {
        Contents contents = redis.contents(scope);
        if (!contents.isLoaded() || contents.taken() < total) {
            return true;
        }
        return claimed + contents.reserved() < total
                && loader.load(scope)
                && redis.contents(scope).taken() < total;
    }
}
