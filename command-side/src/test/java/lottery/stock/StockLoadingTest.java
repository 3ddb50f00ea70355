package lottery.stock;

import static lottery.stock.StockFixture.units;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import lottery.stock.RedisStockStore.RedisStockContents;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

@DisplayName("A stock is loaded from its claims while draws go on.")
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
@ContextConfiguration(initializers = RedisLink.LinkInitializer.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class StockLoadingTest {

    @AutoClose
    private final StockFixture stock;

    StockLoadingTest(StockFixture stock) {
        this.stock = stock;
    }

    @Test
    @DisplayName("No draw gets a unit whose commit is in progress while its stock is loaded.")
    void inFlight() {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericMessage<>("test"));
        assertThat(stock.node.stocks.take(stock.id, 3, "order:slow")).hasValue(1);
        stock.redis.delete(RedisStockStore.taken(stock.scope));
        Future<List<OptionalInt>> others;
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            others = thread.submit(() -> List.of(stock.take(3), stock.take(3), stock.take(3)));
        }
        assertThat(others.resultNow()).containsExactly(OptionalInt.of(2), OptionalInt.of(3), OptionalInt.empty());
        stock.node.publish();
        unit.commit();
        assertThat(stock.node.refused).hasValue(0);
        assertThat(stock.claimed()).isEqualTo(units(3));
    }

    @Test
    @DisplayName("No reservation is removed while a stock is loaded, since its claim may have been missed.")
    void noSettling() throws Exception {
        stock.take(3);
        stock.node.stocks.confirm();
        assertThat(stock.node.redis.beginLoading(stock.scope, "reading")).isTrue();
        BitSet before = new StockClaimQueries(stock.database).units(stock.scope);
        stock.take(3);
        stock.node.stocks.confirm();
        assertThat(stock.contents().reserved()).isEqualTo(1);

        assertThat(stock.node.redis.store(stock.scope, "reading", before)).isTrue();
        assertThat(stock.contents().taken()).isEqualTo(2);
        stock.node.stocks.confirm();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 2, 0));
        assertThat(stock.take(3)).hasValue(3);
        assertThat(stock.node.refused).hasValue(0);
    }

    @Test
    @DisplayName("A process that loads a stock too late overwrites nothing.")
    void late() throws Exception {
        assertThat(stock.node.redis.beginLoading(stock.scope, "late")).isTrue();
        assertThat(stock.node.redis.beginLoading(stock.scope, "other")).isFalse();
        stock.redis.delete(RedisStockStore.loading(stock.scope));
        stock.take(3);
        assertThat(stock.node.redis.store(stock.scope, "late", new BitSet())).isFalse();
        assertThat(stock.contents().taken()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"LIST", "TEXT_FOR_RESERVATIONS", "TEXT_FOR_TIMES"})
    @DisplayName("A stock is loaded again if its key gets an invalid value meanwhile.")
    void sabotagedWhileLoading(RedisDamage how) throws Exception {
        assertThat(stock.node.redis.beginLoading(stock.scope, "reading")).isTrue();
        stock.damage(how);
        stock.node.redis.store(stock.scope, "reading", new StockClaimQueries(stock.database).units(stock.scope));

        assertThat(stock.take(3)).isPresent();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 1));
        assertThat(stock.node.circuit.state().isClosed()).isTrue();
    }

    @Test
    @DisplayName("After the death of the loading process draws go on without Redis, and later with it.")
    void diedLoading() throws Exception {
        assertThat(stock.node.redis.beginLoading(stock.scope, "dead")).isTrue();
        assertThat(stock.take(3)).isPresent();
        assertThat(stock.contents().isLoaded()).isFalse();
        stock.redis.delete(RedisStockStore.loading(stock.scope));
        stock.clock.putForward(Duration.ofSeconds(2));
        assertThat(stock.take(3)).isPresent();
        assertThat(stock.contents().taken()).isEqualTo(2);
        assertThat(stock.node.refused).hasValue(0);
    }
}
