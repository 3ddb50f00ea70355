package lottery.stock;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.store.log.Claim;
import lottery.store.log.ClaimTaken;
import lottery.store.log.Claims;
import lottery.store.log.OutcomeUnknown;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The limited awards of each activity. A slot is a claim that is written in the same commit as the draw that takes it:
 * no two draws can have the same one, whatever any process believes.
 */
@Component
public class Shelves {

    private static final long SHELVES_MAX = 10_000;

    /** Claims of a shelf are read so many at a time: a shelf may have a million of them. */
    private static final int CLAIMS_PER_PAGE = 20_000;

    private final Claims claims;
    private final JdbcClient database;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Cache<ShelfId, Kept> kept =
            Caffeine.newBuilder().maximumSize(SHELVES_MAX).build();

    Shelves(Claims claims, JdbcClient database, InstantSource clock, RandomGenerator random) {
        this.claims = claims;
        this.database = database;
        this.clock = clock;
        this.random = random;
    }

    /** The awards of an activity that cannot be had now, as far as this process knows. */
    public Set<Integer> soldOut(ActivityId activityId, StrategyDefinition definition) {
        return definition.awards().stream()
                .filter(award -> award.stock() != null
                        && shelf(ShelfId.ofAward(activityId, award.awardId()), award.stock())
                                .shelf()
                                .isEmpty())
                .map(AwardDefinition::awardId)
                .collect(Collectors.toSet());
    }

    /** Takes a slot with the current unit of work, if there is one. */
    public OptionalInt take(ShelfId id, int total, String holder) {
        Kept shelf = shelf(id, total);
        OptionalInt slot = shelf.shelf().take(random);
        slot.ifPresent(number -> {
            CurrentUnitOfWork.get().onCleanup(draw -> ended(shelf, number, draw));
            claims.take(new Claim(id.scope(), Integer.toString(number), holder));
        });
        return slot;
    }

    /** Gives a slot back with the current unit of work. */
    public void giveBack(ShelfId id, int slot, String holder) {
        claims.release(new Claim(id.scope(), Integer.toString(slot), holder));
    }

    /** What is not known to be free is not: if it is after all, the next look at the claims says so. */
    private static void ended(Kept shelf, int slot, UnitOfWork<?> draw) {
        Throwable failure = draw.isRolledBack() && draw.getExecutionResult().isExceptionResult()
                ? draw.getExecutionResult().getExceptionResult()
                : null;
        if (failure instanceof ClaimTaken) {
            shelf.goneAstray();
        }
        boolean isFree = failure != null && !(failure instanceof ClaimTaken) && !(failure instanceof OutcomeUnknown);
        shelf.shelf().ended(slot, !isFree);
    }

    private Kept shelf(ShelfId id, int total) {
        Kept shelf = kept.get(id, unknown -> new Kept());
        shelf.upToDate(total, clock, (believed, now) -> look(id, believed, now));
        return shelf;
    }

    /** Where as many are claimed as there are, nobody needs to know which. */
    private boolean look(ShelfId name, Shelf shelf, int total) {
        boolean isSoldOut = shelf.total() == total && shelf.isEmpty() && count(name) >= total;
        if (!isSoldOut) {
            shelf.learn(claimed(name), total);
        }
        return !isSoldOut;
    }

    private long count(ShelfId name) {
        return database.sql("SELECT count(*) FROM claim WHERE scope = ?")
                .param(name.scope())
                .query(Long.class)
                .single();
    }

    private BitSet claimed(ShelfId name) {
        BitSet slots = new BitSet();
        String last = "";
        List<String> page;
        do {
            page = database.sql("SELECT key FROM claim WHERE scope = ? AND key > ? ORDER BY key LIMIT ?")
                    .params(name.scope(), last, CLAIMS_PER_PAGE)
                    .query((row, number) -> row.getString("key"))
                    .list();
            page.forEach(slot -> slots.set(Integer.parseInt(slot)));
            last = page.isEmpty() ? last : page.getLast();
        } while (page.size() == CLAIMS_PER_PAGE);
        return slots;
    }
}
