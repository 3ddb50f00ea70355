package lottery.stock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import lottery.stock.RedisStockStore.RedisStockContents;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

@DisplayName("A unit that was reserved for a draw that never came is free again.")
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
@ContextConfiguration(initializers = RedisLink.LinkInitializer.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class StockExpiryTest {

    @AutoClose
    private final StockFixture stock;

    StockExpiryTest(StockFixture stock) {
        this.stock = stock;
    }

    @Test
    @DisplayName("A unit whose draw never came is free again after a minute, and not before.")
    void abandoned() throws Exception {
        stock.node.loader.load(stock.scope);
        stock.node.redis.reserve(stock.scope, "order:dead", 1, stock.clock.instant());
        AllocatorNode other = stock.newNode();
        assertThat(other.take(stock.id, 1, stock.order())).isEmpty();

        stock.clock.putForward(Duration.ofSeconds(55));
        other.stocks.expire();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 1));
        stock.clock.putForward(Duration.ofSeconds(6));
        other.stocks.expire();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 0, 0));

        assertThat(other.take(stock.id, 1, stock.order())).hasValue(1);
    }

    @Test
    @DisplayName("No committed unit is freed, even if Redis was not told about it.")
    void committed() throws Exception {
        stock.take(3);
        stock.take(3);
        stock.clock.putForward(Duration.ofSeconds(61));
        stock.newNode().stocks.expire();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 2, 0));
    }

    @Test
    @DisplayName("All units whose draw never came are found, however many, also those without a time.")
    void many() throws Exception {
        stock.node.loader.load(stock.scope);
        for (int i = 0; i < 1201; i++) {
            stock.node.redis.reserve(stock.scope, stock.order(), 2000, stock.clock.instant());
        }
        stock.clock.putForward(Duration.ofSeconds(61));
        stock.node.stocks.expire();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 0, 0));

        stock.node.redis.reserve(stock.scope, stock.order(), 2000, stock.clock.instant());
        stock.redis.delete(RedisStockStore.since(stock.scope));
        stock.node.stocks.expire();
        assertThat(stock.contents().reserved()).isEqualTo(1);
        stock.clock.putForward(Duration.ofSeconds(61));
        stock.node.stocks.expire();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 0, 0));
    }

    @Test
    @DisplayName("A process that has just started finds a unit whose draw never came.")
    void newProcess() throws Exception {
        stock.take(2);
        stock.node.redis.reserve(stock.scope, "order:dead", 2, stock.clock.instant());
        stock.clock.putForward(Duration.ofSeconds(61));
        stock.newNode().stocks.expire();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 0));
    }
}
