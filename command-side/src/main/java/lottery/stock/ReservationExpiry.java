package lottery.stock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import lottery.stock.RedisStockStore.RedisStockContents;
import lottery.stock.RedisStockStore.Reservation;
import org.springframework.stereotype.Component;

/**
 * Ends reservations that stayed open because a process died or an answer was lost. For each of them it reads the
 * claims: a claimed unit stays taken, any other unit is freed. Several processes may do this at the same time.
 */
@Component
class ReservationExpiry {

    /**
     * The age at which a reservation is overdue. It is longer than any commit takes. If a commit were slower, another
     * draw might get the unit first, and the claim of the slow commit would be refused.
     */
    private static final Duration RESERVED_MAX = Duration.ofMinutes(1);

    private static final int RESERVATIONS_PER_PAGE = 500;

    private final RedisStockStore redis;
    private final StockClaimQueries claimQueries;
    private final InstantSource clock;

    ReservationExpiry(RedisStockStore redis, StockClaimQueries claimQueries, InstantSource clock) {
        this.redis = redis;
        this.claimQueries = claimQueries;
        this.clock = clock;
    }

    /** @param freed receives each stock that got a unit back */
    void expire(Consumer<String> freed) throws RedisUnavailableException {
        for (String scope : redis.remembered()) {
            expire(scope, freed);
            RedisStockContents contents = redis.contents(scope);
            if (!contents.isLoaded() && contents.reserved() == 0) {
                redis.forget(scope);
            }
        }
    }

    /**
     * Ends the overdue reservations of a stock, page by page. A reservation that cannot be ended now is skipped,
     * because otherwise the loop would read it again and again.
     */
    private void expire(String scope, Consumer<String> freed) throws RedisUnavailableException {
        Instant now = clock.instant();
        Instant before = now.minus(RESERVED_MAX);
        int passedOver = 0;
        List<Reservation> page;
        do {
            page = redis.overdue(scope, before, now, passedOver, RESERVATIONS_PER_PAGE);
            long ended = page.isEmpty() ? 0 : end(scope, page, before, freed);
            passedOver += (int) (page.size() - ended);
        } while (page.size() == RESERVATIONS_PER_PAGE);
    }

    private long end(String scope, List<Reservation> page, Instant before, Consumer<String> freed)
            throws RedisUnavailableException {
        Set<Integer> claimed =
                claimQueries.claimed(scope, page.stream().map(Reservation::unit).toList());
        Map<Boolean, List<Reservation>> byClaim =
                page.stream().collect(Collectors.partitioningBy(each -> claimed.contains(each.unit())));
        List<Reservation> settled = byClaim.getOrDefault(true, List.of());
        long ended = !settled.isEmpty() && redis.settle(scope, settled) ? settled.size() : 0;
        long free = redis.free(scope, byClaim.getOrDefault(false, List.of()), before);
        if (free > 0) {
            freed.accept(scope);
        }
        return ended + free;
    }
}
