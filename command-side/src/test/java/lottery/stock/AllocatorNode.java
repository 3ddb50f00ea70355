package lottery.stock;

import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityId;
import lottery.store.commit.UniqueKeyClaims;
import lottery.store.commit.UniqueKeyTakenException;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.ResultMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One node of several: it has its own allocator and its own knowledge of stocks. */
final class AllocatorNode {

    private static final int ATTEMPTS_MAX = 20;

    final RedisCircuitBreaker circuit = new RedisCircuitBreaker();
    final RedisStockStore redis;
    final RedisStockLoader loader;
    final StockAllocator stocks;

    /** How often a claim was refused. */
    final AtomicInteger refused = new AtomicInteger();

    private final EventStore events;

    AllocatorNode(
            EventStore events,
            UniqueKeyClaims claims,
            JdbcClient database,
            StringRedisTemplate template,
            InstantSource clock,
            RandomGenerator random) {
        this.events = events;
        StockClaimQueries claimQueries = new StockClaimQueries(database);
        redis = new RedisStockStore(template);
        loader = new RedisStockLoader(redis, claimQueries, random);
        stocks = new StockAllocator(
                claims,
                claimQueries,
                redis,
                new RedisStockReserver(redis, loader, claimQueries, clock),
                new ReservationConfirmer(redis, circuit),
                new ReservationExpiry(redis, claimQueries, clock),
                circuit,
                clock,
                random);
        stocks.probe();
    }

    /** Takes a unit like a command, which is handled again if its claim is refused. */
    OptionalInt take(StockId stockId, int total, String holder) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            try {
                return commit(() -> stocks.take(stockId, total, holder));
            } catch (UniqueKeyTakenException e) {
                refused.incrementAndGet();
            }
        }
        throw new AssertionError("no end of refusals");
    }

    void giveBack(StockId stockId, int unit, String holder) {
        commit(() -> {
            stocks.giveBack(stockId, unit, holder);
            return unit;
        });
    }

    /** Commits the work together with an event. */
    <R> R commit(Supplier<R> work) {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        ResultMessage<R> result = unit.executeWithResult(() -> {
            R done = work.get();
            publish();
            return done;
        });
        if (result.isExceptional()) {
            throw result.exceptionResult() instanceof RuntimeException e
                    ? e
                    : new IllegalStateException(result.exceptionResult());
        }
        return result.getPayload();
    }

    void publish() {
        events.publish(new GenericDomainEventMessage<>(
                "test", "test:" + UUID.randomUUID(), 0, new ActivityClosed(new ActivityId(1))));
    }
}
