package lottery.stock;

import static lottery.stock.StockFixture.SOON;
import static lottery.stock.StockFixture.units;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.stock.RedisStockStore.OfferedUnit;
import lottery.stock.RedisStockStore.RedisStockContents;
import lottery.stock.RedisStockStore.Reservation;
import lottery.store.commit.UniqueKeyTakenException;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

@DisplayName("The allocator gives each unit of a stock once.")
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
@ContextConfiguration(initializers = RedisLink.LinkInitializer.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class StockAllocatorTest {

    @AutoClose
    private final StockFixture stock;

    StockAllocatorTest(StockFixture stock) {
        this.stock = stock;
    }

    @Test
    @DisplayName("Two processes take every unit once, without a refused claim, and leave none.")
    void twoNodes() throws Exception {
        AllocatorNode other = stock.newNode();
        stock.takeAtOnce(400, 300, () -> {}, stock.node, other);

        assertThat(stock.claimed()).isEqualTo(units(300));
        assertThat(stock.node.refused.get() + other.refused.get()).isZero();
        assertThat(stock.take(300)).isEmpty();

        stock.node.stocks.confirm();
        other.stocks.confirm();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 300, 0));
    }

    @Test
    @DisplayName("A stock that is known to be empty causes no question to Redis or PostgreSQL.")
    void soldOut() {
        stock.take(2);
        stock.take(2);
        assertThat(stock.node.stocks.isSoldOut(stock.id, 2)).isFalse();
        assertThat(stock.take(2)).isEmpty();
        assertThat(stock.node.stocks.isSoldOut(stock.id, 2)).isTrue();
        stock.node.stocks.confirm();
        // There are units now, but the claims are not checked all the time.
        stock.redis.delete(RedisStockStore.taken(stock.scope));
        stock.database
                .sql("DELETE FROM claim WHERE scope = ?")
                .param(stock.scope)
                .update();
        assertThat(stock.take(2)).isEmpty();
        assertThat(stock.redis.hasKey(RedisStockStore.taken(stock.scope))).isFalse();
        stock.clock.putForward(Duration.ofMinutes(1));
        assertThat(stock.take(2)).isPresent();
    }

    @Test
    @DisplayName("A larger total gives more units, and a smaller one gives no more than it has.")
    void revised() {
        for (int i = 0; i < 7; i++) {
            stock.take(6);
        }
        assertThat(stock.claimed()).isEqualTo(units(6));
        assertThat(stock.take(5)).isEmpty();
        assertThat(stock.take(7)).hasValue(7);
        assertThat(stock.take(7)).isEmpty();
        stock.node.giveBack(stock.id, 1, "order:1");
        stock.node.giveBack(stock.id, 2, "order:2");
        assertThat(stock.take(5)).isEmpty();
        assertThat(stock.take(6)).hasValue(1);
        assertThat(stock.take(6)).isEmpty();
    }

    @Test
    @DisplayName("The same order gets the same unit again, which is freed only when no attempt can have it.")
    void sameOrder() throws Exception {
        stock.node.loader.load(stock.scope);
        assertThat(stock.node.redis.reserve(stock.scope, "order:twice", 3, stock.clock.instant()))
                .isEqualTo(new OfferedUnit(1));
        assertThat(stock.node.redis.reserve(stock.scope, "order:twice", 3, stock.clock.instant()))
                .isEqualTo(new OfferedUnit(1));

        // One of two attempts has failed; the other may be in its commit.
        stock.node.redis.release(stock.scope, new Reservation("order:twice", 1));
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 1));

        stock.node.redis.settle(stock.scope, Set.of(new Reservation("order:twice", 1)));
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 0));
    }

    @Test
    @DisplayName("A unit is free again at once when its unit of work was rolled back.")
    void rolledBack() throws Exception {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        assertThat(stock.node.stocks.take(stock.id, 1, "order:back")).hasValue(1);
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 1));
        unit.rollback();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 0, 0));

        assertThatThrownBy(() -> stock.node.commit(() -> {
                    stock.node.stocks.take(stock.id, 1, "order:failed");
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 0, 0));
        assertThat(stock.take(1)).hasValue(1);
    }

    @Test
    @DisplayName("A rollback makes a stock available again that was known to be empty.")
    void rolledBackWhileEmpty() {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        stock.node.stocks.take(stock.id, 1, "order:back");
        UnitOfWork<?> another = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        assertThat(stock.node.stocks.take(stock.id, 1, "order:late")).isEmpty();
        assertThat(stock.node.stocks.isSoldOut(stock.id, 1)).isTrue();
        another.rollback();
        unit.rollback();
        assertThat(stock.node.stocks.isSoldOut(stock.id, 1)).isFalse();
        assertThat(stock.take(1)).hasValue(1);
    }

    @Test
    @DisplayName("A unit that another holder has is not offered again, also if a nested unit of work took it.")
    void takenByAnother() {
        stock.take(3);
        stock.damage(RedisDamage.NONE_TAKEN);
        AtomicInteger refused = new AtomicInteger();
        await().atMost(SOON).until(() -> {
            try {
                return stock.node.commit(this::takeNested).isPresent();
            } catch (UniqueKeyTakenException taken) {
                refused.incrementAndGet();
                return false;
            }
        });
        assertThat(refused).hasValue(1);
        assertThat(stock.claimed()).hasSize(2);
    }

    private OptionalInt takeNested() {
        return DefaultUnitOfWork.startAndGet(new GenericMessage<>("nested"))
                .executeWithResult(() -> stock.node.stocks.take(stock.id, 3, stock.order()))
                .getPayload();
    }

    @Test
    @DisplayName(
            "A unit that Redis forgets and offers again to one unit of work is refused, and the next attempt succeeds.")
    void forgottenMeanwhile() {
        assertThatThrownBy(() -> stock.node.commit(() -> {
                    stock.node.stocks.take(stock.id, 1, stock.order());
                    stock.damage(RedisDamage.FLUSH);
                    return stock.node.stocks.take(stock.id, 1, stock.order());
                }))
                .isInstanceOf(UniqueKeyTakenException.class);
        assertThat(stock.claimed()).isEmpty();
        await().atMost(SOON).until(() -> stock.take(1).isPresent());
        assertThat(stock.claimed()).isEqualTo(units(1));
    }

    @Test
    @DisplayName("Each kind of stock has its own scope, and a limit.")
    void scopes() {
        ActivityId activity = new ActivityId(12);
        assertThat(StockId.ofAward(activity, 3).scope()).isEqualTo("stock:12/3");
        assertThat(StockId.ofSku(activity, new SkuId(4)).scope()).isEqualTo("sku:12/4");
        assertThat(StockId.ofActivity(activity).scope()).isEqualTo("participations:12");
        assertThatThrownBy(() -> stock.take(1_000_001)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("A bitmap has each claim in its place.")
    void bitmap() throws Exception {
        List<Integer> taken = List.of(1, 7, 8, 9, 16, 17, 1000);
        Consumer<Integer> claim = unit -> stock.database
                .sql("INSERT INTO claim (scope, key, holder, position) VALUES (?, ?, 'x', 1)")
                .params(stock.scope, unit.toString())
                .update();
        taken.forEach(claim);
        stock.node.loader.load(stock.scope);
        assertThat(stock.contents().taken()).isEqualTo(taken.size());
        assertThat(taken)
                .allMatch(unit -> stock.redis.opsForValue().getBit(RedisStockStore.taken(stock.scope), unit - 1));
        assertThat(stock.redis.getExpire(RedisStockStore.taken(stock.scope))).isBetween(3600L, 24L * 3600);
    }
}
