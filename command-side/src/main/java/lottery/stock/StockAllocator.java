package lottery.stock;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.stock.RedisCircuitBreaker.State;
import lottery.stock.RedisStockStore.NotLoaded;
import lottery.stock.RedisStockStore.Offer;
import lottery.stock.RedisStockStore.Reservation;
import lottery.stock.RedisStockStore.Slot;
import lottery.stock.RedisStockStore.SoldOut;
import lottery.store.log.Claim;
import lottery.store.log.ClaimTaken;
import lottery.store.log.Claims;
import lottery.store.log.OutcomeUnknown;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * What there are only so many of. Redis admits and PostgreSQL decides: a slot is a claim that is written in the same
 * commit as the draw that takes it, so that no two draws can have the same one, whatever Redis or any process believes.
 */
@Component
class StockAllocator implements StockUnits {

    private static final Logger LOG = LoggerFactory.getLogger(StockAllocator.class);

    private static final long SHELVES_MAX = 10_000;

    /** In the name of a slot that is about to be given back. */
    private static final String BACK = "back:";

    /** What this process knows of one shelf, with Redis and without it. */
    private record Place(RedisStockState known, LocalStock kept) {}

    /** What became of a unit of work that took a slot. */
    private enum End {
        COMMITTED,
        FAILED,
        /** Somebody else has the slot. */
        TAKEN,
        UNKNOWN;

        static End of(UnitOfWork<?> unit, Claim claim) {
            if (!unit.isRolledBack()) {
                return COMMITTED;
            }
            if (!unit.getExecutionResult().isExceptionResult()) {
                return FAILED;
            }
            return switch (unit.getExecutionResult().getExceptionResult()) {
                case ClaimTaken taken when taken.claim().equals(claim) -> TAKEN;
                case OutcomeUnknown _ -> UNKNOWN;
                default -> FAILED;
            };
        }
    }

    private final Claims claims;
    private final StockClaims ledger;
    private final RedisStockStore redis;
    private final StockReservations admission;
    private final ReservationConfirmer settling;
    private final ReservationExpiry reaper;
    private final RedisCircuitBreaker circuit;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Cache<String, Place> places =
            Caffeine.newBuilder().maximumSize(SHELVES_MAX).build();

    StockAllocator(
            Claims claims,
            StockClaims ledger,
            RedisStockStore redis,
            StockReservations admission,
            ReservationConfirmer settling,
            ReservationExpiry reaper,
            RedisCircuitBreaker circuit,
            InstantSource clock,
            RandomGenerator random) {
        this.claims = claims;
        this.ledger = ledger;
        this.redis = redis;
        this.admission = admission;
        this.settling = settling;
        this.reaper = reaper;
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
    public boolean isSoldOut(StockId shelf, int total) {
        String scope = shelf.scope();
        Place place = place(scope);
        State asked = circuit.state();
        if (asked.isClosed()) {
            try {
                return admission.isSoldOut(scope, place.known(), total);
            } catch (RedisAway away) {
                circuit.lost(asked, away);
            }
        }
        return upToDate(scope, place, total).isEmpty();
    }

    @Override
    public OptionalInt take(StockId shelf, int total, String holder) {
        if (total > StockId.TOTAL_MAX) {
            throw new IllegalArgumentException("%s has more than %d slots".formatted(shelf, StockId.TOTAL_MAX));
        }
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        String scope = shelf.scope();
        Place place = place(scope);
        State asked = circuit.state();
        return switch (offer(scope, place, total, holder, asked)) {
            case Slot(int slot) -> {
                Claim claim = claim(scope, slot, holder);
                unit.onCleanup(ended -> ended(claim, place.known(), slot, End.of(ended, claim)));
                claims.take(claim);
                yield OptionalInt.of(slot);
            }
            case SoldOut _ -> OptionalInt.empty();
            case NotLoaded _ -> takeWithoutRedis(scope, place, total, holder, unit);
        };
    }

    private Offer offer(String scope, Place place, int total, String holder, State asked) {
        if (asked.isClosed()) {
            try {
                return admission.take(scope, place.known(), total, holder, asked);
            } catch (RedisAway away) {
                circuit.lost(asked, away);
            }
        }
        return new NotLoaded();
    }

    /** Of what is not known, and of what Redis is not told, the reaper finds out. */
    private void ended(Claim claim, RedisStockState known, int slot, End end) {
        Reservation reservation = new Reservation(claim.holder(), slot);
        switch (end) {
            case COMMITTED -> settling.add(claim.scope(), reservation);
            case FAILED -> {
                tell(() -> redis.release(claim.scope(), reservation));
                known.notSoldOut();
            }
            case TAKEN -> {
                tell(() -> redis.forget(claim.scope(), claim.holder()));
                known.goneAstray();
            }
            case UNKNOWN -> {}
        }
    }

    private OptionalInt takeWithoutRedis(String scope, Place place, int total, String holder, UnitOfWork<?> unit) {
        OptionalInt slot = upToDate(scope, place, total).take(random);
        slot.ifPresent(number -> {
            Claim claim = claim(scope, number, holder);
            unit.onCleanup(ended -> endedWithoutRedis(place.kept(), number, End.of(ended, claim)));
            claims.take(claim);
        });
        return slot;
    }

    /** What is not known to be free is not: if it is after all, the next look at the claims says so. */
    private static void endedWithoutRedis(LocalStock kept, int slot, End end) {
        if (end == End.TAKEN) {
            kept.goneAstray();
        }
        kept.shelf().ended(slot, end != End.FAILED);
    }

    /** As long as nobody knows whether that has happened, the slot is nobody's. */
    @Override
    public void giveBack(StockId shelf, int slot, String holder) {
        Claim claim = claim(shelf.scope(), slot, holder);
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        tell(() -> redis.hold(claim.scope(), new Reservation(BACK + holder, slot), clock.instant()));
        unit.onCleanup(ended -> cameBack(claim, slot));
        claims.release(claim);
    }

    /** The unit of work is over, however it ended, and nothing that goes wrong here changes that. */
    private void cameBack(Claim claim, int slot) {
        String scope = claim.scope();
        Place place = place(scope);
        // Its holder may still have the reservation under which it was taken.
        List<Reservation> held =
                List.of(new Reservation(BACK + claim.holder(), slot), new Reservation(claim.holder(), slot));
        try {
            if (ledger.claimed(scope, List.of(slot)).isEmpty()) {
                tell(() -> redis.free(scope, held, clock.instant()));
                place.known().notSoldOut();
                place.kept().shelf().cameBack(slot);
            } else {
                tell(() -> redis.settle(scope, held));
            }
        } catch (DataAccessException e) {
            LOG.warn("Slot {} of {} comes back later.", slot, scope, e);
        }
    }

    private static Claim claim(String scope, int slot, String holder) {
        return new Claim(scope, Integer.toString(slot), holder);
    }

    private Place place(String scope) {
        return places.get(scope, unknown -> new Place(new RedisStockState(), new LocalStock()));
    }

    private UnitSet upToDate(String scope, Place place, int total) {
        place.kept().upToDate(total, circuit.state().era(), clock, (believed, wanted) -> look(scope, believed, wanted));
        return place.kept().shelf();
    }

    /** Where as many are claimed as there are, nobody needs to know which. */
    private boolean look(String scope, UnitSet shelf, int total) {
        boolean isSoldOut = shelf.total() == total && shelf.isEmpty() && ledger.count(scope) >= total;
        if (!isSoldOut) {
            shelf.learn(ledger.slots(scope), total);
        }
        return !isSoldOut;
    }

    /** Asks whether Redis is back, if it was away. */
    void probe() {
        State asked = circuit.state();
        if (!asked.isClosed()) {
            try {
                redis.probe();
                circuit.found(asked);
            } catch (RedisAway _) {
                // It is asked again in a second.
            }
        }
    }

    void settle() {
        settling.settle();
    }

    /** Frees what was reserved and is not needed, here and wherever else it was reserved. */
    void reap() {
        tell(() -> {
            redis.know(places.asMap().keySet());
            reaper.reap(scope -> {
                Place place = places.getIfPresent(scope);
                if (place != null) {
                    place.known().notSoldOut();
                }
            });
        });
    }

    private interface Telling {
        void tell() throws RedisAway;
    }

    private void tell(Telling what) {
        State asked = circuit.state();
        if (asked.isClosed()) {
            try {
                what.tell();
            } catch (RedisAway away) {
                circuit.lost(asked, away);
            }
        }
    }
}
