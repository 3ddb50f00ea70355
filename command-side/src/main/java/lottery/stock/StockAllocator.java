package lottery.stock;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import lottery.api.StockLimit;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.stock.RedisCircuitBreaker.CircuitState;
import lottery.stock.RedisStockStore.NotLoaded;
import lottery.stock.RedisStockStore.OfferedUnit;
import lottery.stock.RedisStockStore.Reservation;
import lottery.stock.RedisStockStore.SoldOut;
import lottery.stock.RedisStockStore.UnitOffer;
import lottery.store.commit.UniqueKeyClaim;
import lottery.store.commit.UniqueKeyClaims;
import lottery.store.commit.UniqueKeyTakenException;
import lottery.store.log.OutcomeUnknownException;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Allocates numbered units of limited stock. Redis proposes a unit, and PostgreSQL decides. The unit becomes a claim in
 * the same commit as the draw that takes it, and PostgreSQL accepts a claim only once. So no two draws can have the
 * same unit, even if Redis or a process is wrong.
 */
@Component
class StockAllocator implements StockUnitSource {

    private static final Logger LOG = LoggerFactory.getLogger(StockAllocator.class);

    private static final long STOCKS_MAX = 10_000;

    /** The prefix of the holder for which a unit is reserved while it is given back. */
    private static final String BACK = "back:";

    /** The state of one stock as this process knows it, for use with Redis and without Redis. */
    private record LocalStockState(RedisStockLoadState known, InProcessFallbackStock kept) {}

    /** How a unit of work that took a unit of stock has ended. */
    private enum UnitOfWorkEnd {
        COMMITTED,
        FAILED,
        /** Another holder has claimed the unit. */
        TAKEN,
        UNKNOWN;

        static UnitOfWorkEnd of(UnitOfWork<?> unit, UniqueKeyClaim claim) {
            if (!unit.isRolledBack()) {
                return COMMITTED;
            }
            // If the commit of the root unit of work has failed, only the root knows the cause. A nested unit of work
            // has no exception then.
            UnitOfWork<?> failed = unit.getExecutionResult().isExceptionResult() ? unit : unit.root();
            if (!failed.getExecutionResult().isExceptionResult()) {
                return FAILED;
            }
            return switch (failed.getExecutionResult().getExceptionResult()) {
                case UniqueKeyTakenException taken when taken.claim().equals(claim) -> TAKEN;
                case OutcomeUnknownException _ -> UNKNOWN;
                default -> FAILED;
            };
        }
    }

    private final UniqueKeyClaims claims;
    private final StockClaimQueries claimQueries;
    private final RedisStockStore redis;
    private final RedisStockReserver reservations;
    private final ReservationConfirmer confirmer;
    private final ReservationExpiry expiry;
    private final RedisCircuitBreaker circuit;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Cache<String, LocalStockState> states =
            Caffeine.newBuilder().maximumSize(STOCKS_MAX).build();

    StockAllocator(
            UniqueKeyClaims claims,
            StockClaimQueries claimQueries,
            RedisStockStore redis,
            RedisStockReserver reservations,
            ReservationConfirmer confirmer,
            ReservationExpiry expiry,
            RedisCircuitBreaker circuit,
            InstantSource clock,
            RandomGenerator random) {
        this.claims = claims;
        this.claimQueries = claimQueries;
        this.redis = redis;
        this.reservations = reservations;
        this.confirmer = confirmer;
        this.expiry = expiry;
        this.circuit = circuit;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public Set<Integer> soldOut(ActivityId activityId, StrategyDefinition definition) {
        return definition.awards().stream()
                .filter(award -> isSoldOut(activityId, award))
                .map(AwardDefinition::awardId)
                .collect(Collectors.toSet());
    }

    private boolean isSoldOut(ActivityId activityId, AwardDefinition award) {
        Integer total = award.stock();
        return total != null && isSoldOut(StockId.ofAward(activityId, award.awardId()), total);
    }

    @Override
    public boolean isSoldOut(StockId stockId, int total) {
        String scope = stockId.scope();
        LocalStockState state = stateOf(scope);
        CircuitState circuitState = circuit.state();
        if (circuitState.isClosed()) {
            try {
                return reservations.isSoldOut(scope, state.known(), total);
            } catch (RedisUnavailableException away) {
                circuit.open(circuitState, away);
            }
        }
        return upToDate(scope, state, total).isEmpty();
    }

    @Override
    public boolean isAllTaken(StockId stockId, int total) {
        return claimQueries.count(stockId.scope()) >= total;
    }

    @Override
    public OptionalInt take(StockId stockId, int total, String holder) {
        if (total > StockLimit.UNITS_MAX) {
            throw new IllegalArgumentException("%s has more than %d units".formatted(stockId, StockLimit.UNITS_MAX));
        }
        UnitOfWork<?> work = CurrentUnitOfWork.get();
        String scope = stockId.scope();
        LocalStockState state = stateOf(scope);
        CircuitState circuitState = circuit.state();
        return switch (offer(scope, state, total, holder, circuitState)) {
            case OfferedUnit(int unit) -> {
                UniqueKeyClaim claim = claim(scope, unit, holder);
                work.onCleanup(ended -> ended(claim, state.known(), unit, UnitOfWorkEnd.of(ended, claim)));
                claims.take(claim);
                yield OptionalInt.of(unit);
            }
            case SoldOut _ -> OptionalInt.empty();
            case NotLoaded _ -> takeWithoutRedis(scope, state, total, holder, work);
        };
    }

    @Override
    public void load(StockId stockId, int total) {
        String scope = stockId.scope();
        LocalStockState state = stateOf(scope);
        CircuitState circuitState = circuit.state();
        tell(() -> reservations.prepare(scope, state.known(), circuitState));
    }

    private UnitOffer offer(String scope, LocalStockState state, int total, String holder, CircuitState circuitState) {
        if (circuitState.isClosed()) {
            try {
                return reservations.take(scope, state.known(), total, holder, circuitState);
            } catch (RedisUnavailableException away) {
                circuit.open(circuitState, away);
            }
        }
        return new NotLoaded();
    }

    /**
     * Reports to Redis how the unit of work has ended. If the outcome is unknown or the report is lost, the
     * {@link ReservationExpiry} decides later by the claims.
     */
    private void ended(UniqueKeyClaim claim, RedisStockLoadState known, int unit, UnitOfWorkEnd end) {
        Reservation reservation = new Reservation(claim.holder(), unit);
        switch (end) {
            case COMMITTED -> confirmer.add(claim.scope(), reservation);
            case FAILED -> {
                tell(() -> redis.release(claim.scope(), reservation));
                known.notSoldOut();
            }
            case TAKEN -> {
                tell(() -> redis.forget(claim.scope(), claim.holder()));
                known.recordRefusedClaim();
            }
            case UNKNOWN -> {}
        }
    }

    private OptionalInt takeWithoutRedis(
            String scope, LocalStockState state, int total, String holder, UnitOfWork<?> work) {
        OptionalInt unit = upToDate(scope, state, total).take(random);
        unit.ifPresent(number -> {
            UniqueKeyClaim claim = claim(scope, number, holder);
            work.onCleanup(ended -> endedWithoutRedis(state.kept(), number, UnitOfWorkEnd.of(ended, claim)));
            claims.take(claim);
        });
        return unit;
    }

    /**
     * Records in the memory of this process how the unit of work has ended. The unit counts as taken, except if the
     * commit has certainly failed. A unit that is wrongly taken is corrected by the next check of the claims.
     */
    private static void endedWithoutRedis(InProcessFallbackStock kept, int unit, UnitOfWorkEnd end) {
        if (end == UnitOfWorkEnd.TAKEN) {
            kept.recordRefusedClaim();
        }
        kept.stock().ended(unit, end != UnitOfWorkEnd.FAILED);
    }

    /** Gives a unit back. Until the outcome of the commit is known, nobody can take it. */
    @Override
    public void giveBack(StockId stockId, int unit, String holder) {
        UniqueKeyClaim claim = claim(stockId.scope(), unit, holder);
        UnitOfWork<?> work = CurrentUnitOfWork.get();
        tell(() -> redis.hold(claim.scope(), new Reservation(BACK + holder, unit), clock.instant()));
        work.onCleanup(ended -> freeUnit(claim, unit));
        claims.release(claim);
    }

    /** Frees the unit after the unit of work, whatever its outcome. A failure here does not change that outcome. */
    private void freeUnit(UniqueKeyClaim claim, int unit) {
        String scope = claim.scope();
        LocalStockState state = stateOf(scope);
        // Besides the reservation of the return, the holder may still have the reservation with which it took the unit.
        List<Reservation> held =
                List.of(new Reservation(BACK + claim.holder(), unit), new Reservation(claim.holder(), unit));
        try {
            if (claimQueries.claimed(scope, List.of(unit)).isEmpty()) {
                tell(() -> redis.free(scope, held, clock.instant()));
                state.known().notSoldOut();
                state.kept().stock().giveBack(unit);
            } else {
                tell(() -> redis.settle(scope, held));
            }
        } catch (DataAccessException e) {
            LOG.warn(
                    "Unit {} of the stock {} could not be freed. The maintenance of stock frees it later.",
                    unit,
                    scope,
                    e);
        }
    }

    private static UniqueKeyClaim claim(String scope, int unit, String holder) {
        return new UniqueKeyClaim(scope, Integer.toString(unit), holder);
    }

    private LocalStockState stateOf(String scope) {
        return states.get(
                scope, unknown -> new LocalStockState(new RedisStockLoadState(), new InProcessFallbackStock()));
    }

    private FreeUnitPicker upToDate(String scope, LocalStockState state, int total) {
        state.kept().upToDate(total, circuit.state().era(), clock, (believed, wanted) -> look(scope, believed, wanted));
        return state.kept().stock();
    }

    /** Reads which units are claimed; returns false if the stock was known to be sold out and still is. */
    private boolean look(String scope, FreeUnitPicker stock, int total) {
        boolean isSoldOut = stock.total() == total && stock.isEmpty() && claimQueries.count(scope) >= total;
        if (!isSoldOut) {
            stock.reload(claimQueries.units(scope), total);
        }
        return !isSoldOut;
    }

    /** Tests whether Redis is back, if the circuit is open. */
    void probe() {
        CircuitState circuitState = circuit.state();
        if (!circuitState.isClosed()) {
            try {
                redis.probe();
                circuit.close(circuitState);
            } catch (RedisUnavailableException away) {
                // Nothing more is done here, because the next probe follows in a second.
                circuit.probeFailed(away);
            }
        }
    }

    void confirm() {
        confirmer.confirm();
    }

    /** Frees overdue reservations, of this process and of others. */
    void expire() {
        tell(() -> {
            redis.remember(states.asMap().keySet());
            expiry.expire(scope -> {
                LocalStockState state = states.getIfPresent(scope);
                if (state != null) {
                    state.known().notSoldOut();
                }
            });
        });
    }

    private interface RedisNotification {
        void tell() throws RedisUnavailableException;
    }

    private void tell(RedisNotification what) {
        CircuitState circuitState = circuit.state();
        if (circuitState.isClosed()) {
            try {
                what.tell();
            } catch (RedisUnavailableException away) {
                circuit.open(circuitState, away);
            }
        }
    }
}
