package lottery.stock;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.store.log.Claim;
import lottery.store.log.ClaimTaken;
import lottery.store.log.Claims;
import lottery.store.log.OutcomeUnknown;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.ExecutionResult;
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

    /** An empty shelf is looked at again after this: a draw elsewhere may have given its slot back. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private record Name(ActivityId activityId, int awardId) {

        String scope() {
            return "stock:%d/%d".formatted(activityId.value(), awardId);
        }
    }

    /** @param lookAt when to look at the claims again, should it be empty then */
    private record Kept(Shelf shelf, AtomicReference<Instant> lookAt) {}

    private final Claims claims;
    private final JdbcClient database;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Cache<Name, Kept> kept =
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
                .filter(award -> award.stock() != null)
                .filter(award -> shelf(activityId, award).shelf().isEmpty())
                .map(AwardDefinition::awardId)
                .collect(Collectors.toSet());
    }

    /** Takes a slot with the current unit of work, and says whether there was one. */
    public boolean take(ActivityId activityId, AwardDefinition award, RaffleOrderId orderId) {
        Name name = new Name(activityId, award.awardId());
        Kept shelf = shelf(activityId, award);
        OptionalInt slot = shelf.shelf().take(random);
        slot.ifPresent(number -> {
            UnitOfWork<?> draw = CurrentUnitOfWork.get();
            draw.onRollback(ended -> giveBack(shelf, number, ended.getExecutionResult()));
            draw.afterCommit(ended -> shelf.shelf().ended(number, true));
            claims.take(new Claim(name.scope(), Integer.toString(number), orderId.text()));
        });
        return slot.isPresent();
    }

    private static void giveBack(Kept shelf, int slot, ExecutionResult result) {
        boolean isPerhapsClaimed = result.isExceptionResult()
                && (result.getExceptionResult() instanceof ClaimTaken
                        || result.getExceptionResult() instanceof OutcomeUnknown);
        shelf.shelf().ended(slot, isPerhapsClaimed);
    }

    private Kept shelf(ActivityId activityId, AwardDefinition award) {
        int total = total(award);
        Name name = new Name(activityId, award.awardId());
        Kept shelf = kept.get(name, unknown -> {
            Shelf fresh = new Shelf();
            fresh.learn(claimed(name), total);
            return new Kept(fresh, new AtomicReference<>(clock.instant().plus(LOOK)));
        });
        if (shelf.shelf().total() != total || isTimeToLook(shelf)) {
            shelf.shelf().learn(claimed(name), total);
        }
        return shelf;
    }

    private static int total(AwardDefinition award) {
        Integer stock = award.stock();
        if (stock == null) {
            throw new IllegalArgumentException("there is no end of award %d".formatted(award.awardId()));
        }
        return stock;
    }

    /** True for one of those who ask. */
    private boolean isTimeToLook(Kept shelf) {
        if (!shelf.shelf().isEmpty()) {
            return false;
        }
        Instant now = clock.instant();
        Instant lookAt = shelf.lookAt().get();
        return !now.isBefore(lookAt) && shelf.lookAt().compareAndSet(lookAt, now.plus(LOOK));
    }

    private BitSet claimed(Name name) {
        BitSet slots = new BitSet();
        database.sql("SELECT key::int FROM claim WHERE scope = ?")
                .param(name.scope())
                .query(Integer.class)
                .list()
                .forEach(slots::set);
        return slots;
    }
}
