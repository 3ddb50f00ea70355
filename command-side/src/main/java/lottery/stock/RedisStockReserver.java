package lottery.stock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import lottery.stock.RedisCircuitBreaker.CircuitState;
import lottery.stock.RedisStockLoadState.StockLoad;
import lottery.stock.RedisStockStore.NotLoaded;
import lottery.stock.RedisStockStore.OfferedUnit;
import lottery.stock.RedisStockStore.RedisStockContents;
import lottery.stock.RedisStockStore.SoldOut;
import lottery.stock.RedisStockStore.UnitOffer;
import lottery.stock.StockClaimLookupPacer.ClaimLookupResult;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Reserves units in Redis, and checks the answers of Redis. A stock is loaded into Redis before its first unit is
 * reserved. If Redis answers that a stock is sold out, the answer is compared with the claims in PostgreSQL.
 */
@Component
class RedisStockReserver {

    /**
     * The most attempts to reserve a unit. The second attempt follows if Redis did not have the stock, and the stock
     * was then loaded. The third follows if Redis has lost its data in between.
     */
    private static final int ROUNDS_MAX = 3;

    /** The longest time that draws wait while another draw loads the stock. */
    private static final Duration LOAD_WAIT_MAX = Duration.ofSeconds(2);

    private final RedisStockStore redis;
    private final RedisStockLoader loader;
    private final StockClaimQueries claimQueries;
    private final InstantSource clock;

    RedisStockReserver(
            RedisStockStore redis, RedisStockLoader loader, StockClaimQueries claimQueries, InstantSource clock) {
        this.redis = redis;
        this.loader = loader;
        this.claimQueries = claimQueries;
        this.clock = clock;
    }

    /** Reserves a unit. It returns {@code NotLoaded} if the stock cannot be loaded into Redis now. */
    UnitOffer take(String scope, RedisStockLoadState known, int total, String holder, CircuitState circuit)
            throws RedisUnavailableException {
        if (isSoldOut(scope, known, total)) {
            return new SoldOut();
        }
        UnitOffer offer = new NotLoaded();
        for (int round = 0; round < ROUNDS_MAX && !(offer instanceof OfferedUnit); round++) {
            StockLoad loaded = load(scope, known, circuit);
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

    /** Loads the stock into Redis, unless that was done already. */
    void prepare(String scope, RedisStockLoadState known, CircuitState circuit) throws RedisUnavailableException {
        if (circuit.isClosed()) {
            var _ = load(scope, known, circuit);
        }
    }

    /**
     * Returns whether the stock is sold out, as far as is known. If a check of the claims is due, one of the callers
     * makes it.
     */
    boolean isSoldOut(String scope, RedisStockLoadState known, int total) throws RedisUnavailableException {
        if (known.isSoldOut(total)) {
            known.pace().lookIfDue(clock, () -> find(scope, known, total));
        }
        return known.isSoldOut(total);
    }

    /**
     * Returns whether the stock is sold out by the claims. If the stock is not known to be sold out, the claims are
     * checked even while another thread is checking them.
     */
    private boolean isSoldOutByTheClaims(String scope, RedisStockLoadState known, int total)
            throws RedisUnavailableException {
        boolean hasLooked = known.pace().lookIfDue(clock, () -> find(scope, known, total));
        if (!hasLooked && !known.isSoldOut(total)) {
            find(scope, known, total);
        }
        return known.isSoldOut(total);
    }

    /** Returns the load of this era; null if the stock cannot be loaded now. The stock is loaded if needed. */
    private @Nullable StockLoad load(String scope, RedisStockLoadState known, CircuitState circuit)
            throws RedisUnavailableException {
        StockLoad loaded = known.loadedIn(circuit.era());
        if (loaded == null) {
            return loadFirst(scope, known, circuit);
        }
        if (known.hasRefusedClaim()) {
            known.pace().lookIfDue(clock, () -> {
                known.clearRefusedClaim();
                loader.load(scope);
                return ClaimLookupResult.UNITS;
            });
        }
        return loaded;
    }

    private @Nullable StockLoad loadFirst(String scope, RedisStockLoadState known, CircuitState circuit)
            throws RedisUnavailableException {
        if (!known.isTimeToLoad(clock.instant()) || !isMyTurn(known)) {
            return null;
        }
        try {
            StockLoad loaded = known.loadedIn(circuit.era());
            if (loaded != null || !known.isTimeToLoad(clock.instant())) {
                return loaded;
            }
            known.clearRefusedClaim();
            if (loader.load(scope)) {
                return known.loadedNow(circuit.era());
            }
            known.notLoaded(clock.instant());
            return null;
        } finally {
            known.loading().unlock();
        }
    }

    private static boolean isMyTurn(RedisStockLoadState known) {
        try {
            return known.loading().tryLock(LOAD_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Compares Redis with the claims, and returns what was found. If the bitmap in Redis wrongly shows units as taken,
     * the stock is loaded again, so that these units can be given out.
     */
    private ClaimLookupResult find(String scope, RedisStockLoadState known, int total)
            throws RedisUnavailableException {
        boolean wasSoldOut = known.isSoldOut(total);
        long claimed = claimQueries.count(scope);
        if (claimed >= total) {
            known.soldOut(total);
            return wasSoldOut ? ClaimLookupResult.NONE_STILL : ClaimLookupResult.NONE_NOW;
        }
        if (hasUnits(scope, claimed, total)) {
            known.notSoldOut();
            return ClaimLookupResult.UNITS;
        }
        known.soldOut(total);
        return ClaimLookupResult.NONE_NOW;
    }

    private boolean hasUnits(String scope, long claimed, int total) throws RedisUnavailableException {
        RedisStockContents contents = redis.contents(scope);
        if (!contents.isLoaded() || contents.taken() < total) {
            return true;
        }
        return claimed + contents.reserved() < total
                && loader.load(scope)
                && redis.contents(scope).taken() < total;
    }
}
