package lottery.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Sku;
import lottery.stock.RedisStockStore.Contents;
import lottery.stock.RedisStockStore.OfferedUnit;
import lottery.stock.RedisStockStore.Reservation;
import lottery.store.log.ClaimTaken;
import lottery.store.log.Claims;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.ContextConfiguration;

@DisplayName("The allocator of stock")
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
@ContextConfiguration(initializers = Cable.Laid.class)
class StockAllocatorTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final AtomicLong ACTIVITIES = new AtomicLong(880_000);

    private final EventStore events;
    private final Claims claims;
    private final JdbcClient database;
    private final StringRedisTemplate template;
    private final Cable cable;
    private final SecureRandom random;
    private final ShiftedClock clock = new ShiftedClock();

    private final LettuceConnectionFactory wired;

    /** Connects to Redis without the proxy. */
    private final LettuceConnectionFactory direct;

    private final StringRedisTemplate redis;

    private final StockId stockId = StockId.ofAward(new ActivityId(ACTIVITIES.incrementAndGet()), 7);
    private final String scope = stockId.scope();
    private final AtomicLong orders = new AtomicLong();
    private final Node node;

    @Autowired
    StockAllocatorTest(
            EventStore events,
            Claims claims,
            JdbcClient database,
            Cable cable,
            SecureRandom random,
            Environment environment) {
        this.events = events;
        this.claims = claims;
        this.database = database;
        this.cable = cable;
        this.random = random;
        wired = connection(environment.getRequiredProperty("lottery.cable.url"));
        direct = connection(environment.getRequiredProperty("lottery.redis.url"));
        template = new StringRedisTemplate(wired);
        redis = new StringRedisTemplate(direct);
        node = node();
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

    @BeforeEach
    void mended() {
        cable.mend();
        awaitRedis(node);
    }

    @AfterEach
    void stop() {
        cable.mend();
        wired.destroy();
        direct.destroy();
    }

    private Node node() {
        return new Node(events, claims, database, template, clock, random);
    }

    private void awaitRedis(Node waiting) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
            waiting.stocks.probe();
            return waiting.circuit.state().isClosed();
        });
    }

    private String order() {
        return "order:" + orders.incrementAndGet();
    }

    private OptionalInt take(int total) {
        return node.take(stockId, total, order());
    }

    private Contents contents() throws RedisAway {
        return node.redis.contents(scope);
    }

    private List<Integer> claimed() {
        return database.sql("SELECT key::int AS slot FROM claim WHERE scope = ? ORDER BY 1")
                .param(scope)
                .query((row, number) -> row.getInt("slot"))
                .list();
    }

    private static List<Integer> units(int total) {
        return IntStream.rangeClosed(1, total).boxed().toList();
    }

    /** Takes units on all nodes at once, and runs something in between. */
    private void takeAtOnce(int times, int total, Runnable inBetween, Node... nodes) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> taken = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                Node at = nodes[i % nodes.length];
                taken.add(threads.submit(() -> at.take(stockId, total, order())));
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
    private void takeTheRest(int total) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> {
            take(total);
            return claimed().size() >= total;
        });
    }

    @Test
    @DisplayName("Two processes take every unit once, without a refused claim, and leave none.")
    void twoNodes() throws Exception {
        Node other = node();
        takeAtOnce(400, 300, () -> {}, node, other);

        assertThat(claimed()).isEqualTo(units(300));
        assertThat(node.refused.get() + other.refused.get()).isZero();
        assertThat(take(300)).isEmpty();

        node.stocks.confirm();
        other.stocks.confirm();
        assertThat(contents()).isEqualTo(new Contents(true, 300, 0));
    }

    @Test
    @DisplayName("A stock that is known to be empty causes no question to Redis or PostgreSQL.")
    void soldOut() {
        take(2);
        take(2);
        assertThat(node.stocks.isSoldOut(stockId, 2)).isFalse();
        assertThat(take(2)).isEmpty();
        assertThat(node.stocks.isSoldOut(stockId, 2)).isTrue();
        node.stocks.confirm();
        // There are units now, but the claims are not checked all the time.
        redis.delete(RedisStockStore.taken(scope));
        database.sql("DELETE FROM claim WHERE scope = ?").param(scope).update();
        assertThat(take(2)).isEmpty();
        assertThat(redis.hasKey(RedisStockStore.taken(scope))).isFalse();
        clock.putForward(Duration.ofMinutes(1));
        assertThat(take(2)).isPresent();
    }

    @Test
    @DisplayName("A larger total gives more units, and a smaller one gives no more than it has.")
    void revised() {
        for (int i = 0; i < 7; i++) {
            take(6);
        }
        assertThat(claimed()).isEqualTo(units(6));
        assertThat(take(5)).isEmpty();
        assertThat(take(7)).hasValue(7);
        assertThat(take(7)).isEmpty();
        node.giveBack(stockId, 1, "order:1");
        node.giveBack(stockId, 2, "order:2");
        assertThat(take(5)).isEmpty();
        assertThat(take(6)).hasValue(1);
        assertThat(take(6)).isEmpty();
    }

    @Test
    @DisplayName("The same order gets the same unit again, which is freed only when no attempt can have it.")
    void sameOrder() throws Exception {
        node.loader.load(scope);
        assertThat(node.redis.reserve(scope, "order:twice", 3, clock.instant())).isEqualTo(new OfferedUnit(1));
        assertThat(node.redis.reserve(scope, "order:twice", 3, clock.instant())).isEqualTo(new OfferedUnit(1));

        // One of two attempts has failed; the other may be in its commit.
        node.redis.release(scope, new Reservation("order:twice", 1));
        assertThat(contents()).isEqualTo(new Contents(true, 1, 1));

        node.redis.settle(scope, Set.of(new Reservation("order:twice", 1)));
        assertThat(contents()).isEqualTo(new Contents(true, 1, 0));
    }

    @Test
    @DisplayName("A unit is free again at once when its unit of work was rolled back.")
    void rolledBack() throws Exception {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        assertThat(node.stocks.take(stockId, 1, "order:back")).hasValue(1);
        assertThat(contents()).isEqualTo(new Contents(true, 1, 1));
        unit.rollback();
        assertThat(contents()).isEqualTo(new Contents(true, 0, 0));

        assertThatThrownBy(() -> node.commit(() -> {
                    node.stocks.take(stockId, 1, "order:failed");
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(contents()).isEqualTo(new Contents(true, 0, 0));
        assertThat(take(1)).hasValue(1);
    }

    @Test
    @DisplayName("A rollback makes a stock available again that was known to be empty.")
    void rolledBackWhileEmpty() {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        node.stocks.take(stockId, 1, "order:back");
        UnitOfWork<?> another = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        assertThat(node.stocks.take(stockId, 1, "order:late")).isEmpty();
        assertThat(node.stocks.isSoldOut(stockId, 1)).isTrue();
        another.rollback();
        unit.rollback();
        assertThat(node.stocks.isSoldOut(stockId, 1)).isFalse();
        assertThat(take(1)).hasValue(1);
    }

    @Test
    @DisplayName("A unit that another holder has is not offered again, also if a nested unit of work took it.")
    void takenByAnother() {
        take(3);
        sabotage(Sabotage.NONE_TAKEN);
        AtomicInteger refused = new AtomicInteger();
        await().atMost(SOON).until(() -> {
            try {
                return node.commit(this::takeNested).isPresent();
            } catch (ClaimTaken taken) {
                refused.incrementAndGet();
                return false;
            }
        });
        assertThat(refused).hasValue(1);
        assertThat(claimed()).hasSize(2);
    }

    @Test
    @DisplayName(
            "A unit that Redis forgets and offers again to one unit of work is refused, and the next attempt succeeds.")
    void forgottenMeanwhile() {
        assertThatThrownBy(() -> node.commit(() -> {
                    node.stocks.take(stockId, 1, order());
                    sabotage(Sabotage.FLUSH);
                    return node.stocks.take(stockId, 1, order());
                }))
                .isInstanceOf(ClaimTaken.class);
        assertThat(claimed()).isEmpty();
        await().atMost(SOON).until(() -> take(1).isPresent());
        assertThat(claimed()).isEqualTo(units(1));
    }

    private OptionalInt takeNested() {
        return DefaultUnitOfWork.startAndGet(new GenericMessage<>("nested"))
                .executeWithResult(() -> node.stocks.take(stockId, 3, order()))
                .getPayload();
    }

    @Nested
    @DisplayName("A unit that is given back")
    class GivenBack {

        @ParameterizedTest(name = "with Redis: {0}")
        @ValueSource(booleans = {true, false})
        @DisplayName("Any process can take the unit again.")
        void takenAgain(boolean withRedis) {
            if (!withRedis) {
                cable.cut();
            }
            for (int i = 0; i < 4; i++) {
                take(3);
            }
            assertThat(node.stocks.isSoldOut(stockId, 3)).isTrue();
            String holder = claims.holderOf(scope, "2").orElseThrow();

            node.giveBack(stockId, 2, holder);

            assertThat(claims.holderOf(scope, "2")).isEmpty();
            assertThat(node.stocks.isSoldOut(stockId, 3)).isFalse();
            Node other = withRedis ? node() : node;
            assertThat(other.take(stockId, 3, "order:next")).hasValue(2);
            assertThat(node.refused).hasValue(0);
            assertThat(claims.holderOf(scope, "2")).hasValue("order:next");
        }

        @Test
        @DisplayName("The unit stays with its holder if the unit of work fails.")
        void failed() throws Exception {
            take(1);
            assertThatThrownBy(() -> node.commit(() -> {
                        node.stocks.giveBack(stockId, 1, "order:1");
                        throw new IllegalStateException("on purpose");
                    }))
                    .hasMessage("on purpose");
            node.stocks.confirm();
            assertThat(take(1)).isEmpty();
            assertThat(contents()).isEqualTo(new Contents(true, 1, 0));
            assertThat(claims.holderOf(scope, "1")).hasValue("order:1");
        }

        @Test
        @DisplayName("The unit stays with another holder.")
        void ofAnother() throws Exception {
            take(1);
            node.giveBack(stockId, 1, "order:nobody");
            node.stocks.confirm();
            assertThat(take(1)).isEmpty();
            assertThat(contents()).isEqualTo(new Contents(true, 1, 0));
            assertThat(node.refused).hasValue(0);
        }

        @Test
        @DisplayName("A load that is in progress begins again.")
        void whileLoading() throws Exception {
            take(1);
            node.stocks.confirm();
            assertThat(node.redis.beginLoading(scope, "reading")).isTrue();
            BitSet before = new StockClaims(database).units(scope);
            node.giveBack(stockId, 1, "order:1");

            assertThat(node.redis.store(scope, "reading", before)).isFalse();
            assertThat(take(1)).hasValue(1);
        }
    }

    @Nested
    @DisplayName("A stock that is being loaded")
    class Loading {

        @Test
        @DisplayName("No draw gets a unit whose commit is in progress.")
        void inFlight() {
            UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
            assertThat(node.stocks.take(stockId, 3, "order:slow")).hasValue(1);
            redis.delete(RedisStockStore.taken(scope));
            Future<List<OptionalInt>> others;
            try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
                others = thread.submit(() -> List.of(take(3), take(3), take(3)));
            }
            assertThat(others.resultNow()).containsExactly(OptionalInt.of(2), OptionalInt.of(3), OptionalInt.empty());
            node.publish();
            unit.commit();
            assertThat(node.refused).hasValue(0);
            assertThat(claimed()).isEqualTo(units(3));
        }

        @Test
        @DisplayName("No reservation is removed during the load, since its claim may have been missed.")
        void noSettling() throws Exception {
            take(3);
            node.stocks.confirm();
            assertThat(node.redis.beginLoading(scope, "reading")).isTrue();
            BitSet before = new StockClaims(database).units(scope);
            take(3);
            node.stocks.confirm();
            assertThat(contents().reserved()).isEqualTo(1);

            assertThat(node.redis.store(scope, "reading", before)).isTrue();
            assertThat(contents().taken()).isEqualTo(2);
            node.stocks.confirm();
            assertThat(contents()).isEqualTo(new Contents(true, 2, 0));
            assertThat(take(3)).hasValue(3);
            assertThat(node.refused).hasValue(0);
        }

        @Test
        @DisplayName("A process that is late overwrites nothing.")
        void late() throws Exception {
            assertThat(node.redis.beginLoading(scope, "late")).isTrue();
            assertThat(node.redis.beginLoading(scope, "other")).isFalse();
            redis.delete(RedisStockStore.loading(scope));
            take(3);
            assertThat(node.redis.store(scope, "late", new BitSet())).isFalse();
            assertThat(contents().taken()).isEqualTo(1);
        }

        @ParameterizedTest
        @EnumSource(names = {"LIST", "TEXT_FOR_RESERVATIONS", "TEXT_FOR_TIMES"})
        @DisplayName("A stock is loaded again if its key gets an invalid value meanwhile.")
        void sabotagedWhileLoading(Sabotage how) throws Exception {
            assertThat(node.redis.beginLoading(scope, "reading")).isTrue();
            sabotage(how);
            node.redis.store(scope, "reading", new StockClaims(database).units(scope));

            assertThat(take(3)).isPresent();
            assertThat(contents()).isEqualTo(new Contents(true, 1, 1));
            assertThat(node.circuit.state().isClosed()).isTrue();
        }

        @Test
        @DisplayName("After the death of the loading process draws go on without Redis, and later with it.")
        void diedLoading() throws Exception {
            assertThat(node.redis.beginLoading(scope, "dead")).isTrue();
            assertThat(take(3)).isPresent();
            assertThat(contents().isLoaded()).isFalse();
            redis.delete(RedisStockStore.loading(scope));
            clock.putForward(Duration.ofSeconds(2));
            assertThat(take(3)).isPresent();
            assertThat(contents().taken()).isEqualTo(2);
            assertThat(node.refused).hasValue(0);
        }
    }

    /** Harm that any client of Redis can do to a stock. */
    enum Sabotage {
        FLUSH,
        ALL_TAKEN,
        NONE_TAKEN,
        EMPTY,
        TEXT,
        NEGATIVE,
        LIST,
        TEXT_FOR_RESERVATIONS,
        TEXT_FOR_TIMES,
        STRANGE_RESERVATIONS,
        TEXT_FOR_NAMES
    }

    private void sabotage(Sabotage how) {
        switch (how) {
            case FLUSH ->
                redis.execute((RedisCallback<Boolean>) connection -> {
                    connection.serverCommands().flushAll();
                    return true;
                });
            case ALL_TAKEN -> redis.opsForValue().set(RedisStockStore.taken(scope), "\u007f".repeat(1000));
            case NONE_TAKEN -> redis.opsForValue().set(RedisStockStore.taken(scope), "\0".repeat(100));
            case EMPTY -> redis.opsForValue().set(RedisStockStore.taken(scope), "");
            case TEXT -> redis.opsForValue().set(RedisStockStore.taken(scope), "abc");
            case NEGATIVE -> redis.opsForValue().set(RedisStockStore.taken(scope), "-5");
            case LIST -> {
                // The list is put there in one step; otherwise a take in between could write the usual type first.
                redis.opsForList().rightPush("list of " + scope, "abc");
                redis.rename("list of " + scope, RedisStockStore.taken(scope));
            }
            case TEXT_FOR_RESERVATIONS -> redis.opsForValue().set(RedisStockStore.reserved(scope), "abc");
            case TEXT_FOR_TIMES -> redis.opsForValue().set(RedisStockStore.since(scope), "abc");
            case STRANGE_RESERVATIONS ->
                Stream.of("abc", "-5", "1e300", "0", "2.5", "99999999", "")
                        .forEach(unit -> redis.opsForHash().put(RedisStockStore.reserved(scope), "who " + unit, unit));
            case TEXT_FOR_NAMES -> redis.opsForValue().set(RedisStockStore.KNOWN, "abc");
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("Every unit is taken once, whatever is done to Redis in between.")
    void sabotaged(Sabotage how) throws Exception {
        Node other = node();
        takeAtOnce(200, 300, () -> sabotage(how), node, other);
        assertThat(claimed()).isNotEmpty().hasSizeLessThanOrEqualTo(200).doesNotHaveDuplicates();

        sabotage(how);
        // Reservations without a draw are found after a minute.
        clock.putForward(Duration.ofSeconds(1));
        node.stocks.expire();
        clock.putForward(Duration.ofSeconds(61));
        node.stocks.expire();
        takeTheRest(300);

        assertThat(claimed()).isEqualTo(units(300));
        assertThat(take(300)).isEmpty();
        assertThat(List.of(node, other)).allMatch(each -> each.circuit.state().isClosed(), "Redis was never away");
    }

    @Nested
    @DisplayName("A unit that was reserved for a draw that never came")
    class Reaped {

        @Test
        @DisplayName("The unit is free again after a minute, and not before.")
        void abandoned() throws Exception {
            node.loader.load(scope);
            node.redis.reserve(scope, "order:dead", 1, clock.instant());
            Node other = node();
            assertThat(other.take(stockId, 1, order())).isEmpty();

            clock.putForward(Duration.ofSeconds(55));
            other.stocks.expire();
            assertThat(contents()).isEqualTo(new Contents(true, 1, 1));
            clock.putForward(Duration.ofSeconds(6));
            other.stocks.expire();
            assertThat(contents()).isEqualTo(new Contents(true, 0, 0));

            assertThat(other.take(stockId, 1, order())).hasValue(1);
        }

        @Test
        @DisplayName("No committed unit is freed, even if Redis was not told about it.")
        void committed() throws Exception {
            take(3);
            take(3);
            clock.putForward(Duration.ofSeconds(61));
            node().stocks.expire();
            assertThat(contents()).isEqualTo(new Contents(true, 2, 0));
        }

        @Test
        @DisplayName("All such units are found, however many, also those without a time.")
        void many() throws Exception {
            node.loader.load(scope);
            for (int i = 0; i < 1201; i++) {
                node.redis.reserve(scope, order(), 2000, clock.instant());
            }
            clock.putForward(Duration.ofSeconds(61));
            node.stocks.expire();
            assertThat(contents()).isEqualTo(new Contents(true, 0, 0));

            node.redis.reserve(scope, order(), 2000, clock.instant());
            redis.delete(RedisStockStore.since(scope));
            node.stocks.expire();
            assertThat(contents().reserved()).isEqualTo(1);
            clock.putForward(Duration.ofSeconds(61));
            node.stocks.expire();
            assertThat(contents()).isEqualTo(new Contents(true, 0, 0));
        }

        @Test
        @DisplayName("A process that has just started finds the unit.")
        void newProcess() throws Exception {
            take(2);
            node.redis.reserve(scope, "order:dead", 2, clock.instant());
            clock.putForward(Duration.ofSeconds(61));
            node().stocks.expire();
            assertThat(contents()).isEqualTo(new Contents(true, 1, 0));
        }
    }

    @Nested
    @DisplayName("Draws without Redis")
    class Away {

        @Test
        @DisplayName("Draws go on when Redis is cut off and comes back.")
        void cutInTheMiddle() throws Exception {
            Node other = node();
            takeAtOnce(150, 300, cable::cut, node, other);
            assertThat(claimed()).hasSize(150);
            assertThat(node.circuit.state().isClosed()).isFalse();

            takeAtOnce(
                    100,
                    300,
                    () -> {
                        cable.mend();
                        awaitRedis(node);
                    },
                    node,
                    other);
            assertThat(claimed()).hasSize(250);
            awaitRedis(other);
            takeAtOnce(100, 300, () -> {}, node, other);
            node.stocks.confirm();
            clock.putForward(Duration.ofSeconds(61));
            node.stocks.expire();
            takeTheRest(300);

            assertThat(claimed()).isEqualTo(units(300));
        }

        @Test
        @DisplayName("Units taken with Redis are known without it, and the other way round, before they are relied on.")
        void learned() {
            take(12);
            take(12);
            for (int round = 0; round < 2; round++) {
                cable.cut();
                for (int i = 0; i < 3; i++) {
                    assertThat(take(12)).isPresent();
                }
                cable.mend();
                awaitRedis(node);
                take(12);
                take(12);
            }
            assertThat(claimed()).isEqualTo(units(12));
            // The unit of work that found out that Redis is away had its unit from PostgreSQL.
            assertThat(node.refused).hasValue(0);
        }

        @Test
        @DisplayName("When Redis does not answer, at most one draw waits for it, and not for long.")
        void silent() {
            take(100);
            cable.swallow();
            long began = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(take(100)).isPresent();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(ANSWER_MAX.multipliedBy(2));
            assertThat(node.circuit.state().isClosed()).isFalse();
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"full", "a replica"})
        @DisplayName("Draws go on when Redis refuses writes.")
        void takesNothing(String what) {
            take(10);
            boolean isFull = what.equals("full");
            set(isFull ? "maxmemory 1" : "replicaof 127.0.0.1 1");
            try {
                assertThat(take(10)).isPresent();
                assertThat(node.circuit.state().isClosed()).isFalse();
                node.stocks.probe();
                assertThat(node.circuit.state().isClosed()).isFalse();
                assertThat(take(10)).isPresent();
            } finally {
                set(isFull ? "maxmemory 0" : "replicaof no one");
            }
            awaitRedis(node);
            while (take(10).isPresent()) {
                assertThat(claimed()).hasSizeLessThanOrEqualTo(10);
            }
            assertThat(claimed()).isEqualTo(units(10));
        }

        private void set(String what) {
            List<String> words = List.of(what.split(" ", -1));
            redis.execute((RedisCallback<Object>) connection -> {
                if (words.getFirst().equals("maxmemory")) {
                    connection.serverCommands().setConfig("maxmemory", words.getLast());
                    return true;
                }
                return Objects.requireNonNullElse(
                        connection.execute(
                                "REPLICAOF",
                                words.get(1).getBytes(UTF_8),
                                words.get(2).getBytes(UTF_8)),
                        true);
            });
        }
    }

    @Test
    @DisplayName("Each kind of stock has its own scope, and a limit.")
    void scopes() {
        ActivityId activity = new ActivityId(12);
        assertThat(StockId.ofAward(activity, 3).scope()).isEqualTo("stock:12/3");
        assertThat(StockId.ofSku(activity, new Sku(4)).scope()).isEqualTo("sku:12/4");
        assertThat(StockId.ofActivity(activity).scope()).isEqualTo("participations:12");
        assertThatThrownBy(() -> take(1_000_001)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("A bitmap has each claim in its place.")
    void bitmap() throws Exception {
        List<Integer> taken = List.of(1, 7, 8, 9, 16, 17, 1000);
        Consumer<Integer> claim =
                unit -> database.sql("INSERT INTO claim (scope, key, holder, position) VALUES (?, ?, 'x', 1)")
                        .params(scope, unit.toString())
                        .update();
        taken.forEach(claim);
        node.loader.load(scope);
        assertThat(contents().taken()).isEqualTo(taken.size());
        assertThat(taken).allMatch(unit -> redis.opsForValue().getBit(RedisStockStore.taken(scope), unit - 1));
        assertThat(redis.getExpire(RedisStockStore.taken(scope))).isBetween(3600L, 24L * 3600);
    }
}
