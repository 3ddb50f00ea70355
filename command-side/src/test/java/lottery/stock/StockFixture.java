package lottery.stock;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityId;
import lottery.stock.RedisStockStore.RedisStockContents;
import lottery.store.commit.UniqueKeyClaims;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A stock of one award for one test, the processes that take its units, and the Redis and the database behind it. */
final class StockFixture implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(20);
    static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private static final AtomicLong ACTIVITIES = new AtomicLong(880_000);

    final UniqueKeyClaims claims;
    final JdbcClient database;
    final RedisLink link;
    final ShiftedClock clock = new ShiftedClock();
    final StockId id = StockId.ofAward(new ActivityId(ACTIVITIES.incrementAndGet()), 7);
    final String scope = id.scope();

    /** Is connected to Redis without the proxy. */
    final StringRedisTemplate redis;

    final AllocatorNode node;

    private final EventStore events;
    private final SecureRandom random;
    private final LettuceConnectionFactory wired;
    private final LettuceConnectionFactory direct;
    private final StringRedisTemplate template;
    private final AtomicLong orders = new AtomicLong();

    StockFixture(
            EventStore events,
            UniqueKeyClaims claims,
            JdbcClient database,
            RedisLink link,
            SecureRandom random,
            Environment environment) {
        this.events = events;
        this.claims = claims;
        this.database = database;
        this.link = link;
        this.random = random;
        wired = connection(environment.getRequiredProperty("lottery.redis-link.url"));
        direct = connection(environment.getRequiredProperty("lottery.redis.url"));
        template = new StringRedisTemplate(wired);
        redis = new StringRedisTemplate(direct);
        link.mend();
        node = newNode();
        awaitRedis(node);
    }

    /** Has long timeouts: other builds may use both cores for a while, which is not tested here. */
    private static LettuceConnectionFactory connection(String url) {
        LettuceConnectionFactory connection = new LettuceConnectionFactory(
                (RedisStandaloneConfiguration) LettuceConnectionFactory.createRedisConfiguration(url),
                LettuceClientConfiguration.builder()
                        .commandTimeout(ANSWER_MAX)
                        .clientOptions(ClientOptions.builder()
                                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                                .build())
                        .build());
        connection.start();
        return connection;
    }

    @Override
    public void close() {
        link.mend();
        wired.destroy();
        direct.destroy();
    }

    AllocatorNode newNode() {
        return new AllocatorNode(events, claims, database, template, clock, random);
    }

    void awaitRedis(AllocatorNode waiting) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
            waiting.stocks.probe();
            return waiting.circuit.state().isClosed();
        });
    }

    String order() {
        return "order:" + orders.incrementAndGet();
    }

    OptionalInt take(int total) {
        return node.take(id, total, order());
    }

    RedisStockContents contents() throws RedisUnavailableException {
        return node.redis.contents(scope);
    }

    List<Integer> claimed() {
        return database.sql("SELECT key::int AS unit FROM claim WHERE scope = ? ORDER BY 1")
                .param(scope)
                .query((row, number) -> row.getInt("unit"))
                .list();
    }

    static List<Integer> units(int total) {
        return IntStream.rangeClosed(1, total).boxed().toList();
    }

    /** Takes units on all nodes at once, and runs something in between. */
    void takeAtOnce(int times, int total, Runnable inBetween, AllocatorNode... nodes) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> taken = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                AllocatorNode at = nodes[i % nodes.length];
                taken.add(threads.submit(() -> at.take(id, total, order())));
                if (i == times / 2) {
                    inBetween.run();
                }
            }
            for (Future<?> each : taken) {
                each.get(30, TimeUnit.SECONDS);
            }
        }
    }

    /** Takes all remaining units, whatever the nodes believed before. */
    void takeTheRest(int total) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> {
            take(total);
            return claimed().size() >= total;
        });
    }

    void damage(RedisDamage how) {
        how.inflictOn(redis, scope);
    }
}
