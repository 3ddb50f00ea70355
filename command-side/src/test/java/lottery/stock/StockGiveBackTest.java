package lottery.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import lottery.stock.RedisStockStore.RedisStockContents;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

@DisplayName("A unit of stock that is given back can be taken again.")
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
@ContextConfiguration(initializers = RedisLink.LinkInitializer.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class StockGiveBackTest {

    @AutoClose
    private final StockFixture stock;

    StockGiveBackTest(StockFixture stock) {
        this.stock = stock;
    }

    @ParameterizedTest(name = "with Redis: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("Any process can take a unit again that was given back.")
    void takenAgain(boolean withRedis) {
        if (!withRedis) {
            stock.link.cut();
        }
        for (int i = 0; i < 4; i++) {
            stock.take(3);
        }
        assertThat(stock.node.stocks.isSoldOut(stock.id, 3)).isTrue();
        String holder = stock.claims.holderOf(stock.scope, "2").orElseThrow();

        stock.node.giveBack(stock.id, 2, holder);

        assertThat(stock.claims.holderOf(stock.scope, "2")).isEmpty();
        assertThat(stock.node.stocks.isSoldOut(stock.id, 3)).isFalse();
        AllocatorNode other = withRedis ? stock.newNode() : stock.node;
        assertThat(other.take(stock.id, 3, "order:next")).hasValue(2);
        assertThat(stock.node.refused).hasValue(0);
        assertThat(stock.claims.holderOf(stock.scope, "2")).hasValue("order:next");
    }

    @Test
    @DisplayName("A unit stays with its holder if the unit of work that gives it back fails.")
    void failed() throws Exception {
        stock.take(1);
        assertThatThrownBy(() -> stock.node.commit(() -> {
                    stock.node.stocks.giveBack(stock.id, 1, "order:1");
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        stock.node.stocks.confirm();
        assertThat(stock.take(1)).isEmpty();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 0));
        assertThat(stock.claims.holderOf(stock.scope, "1")).hasValue("order:1");
    }

    @Test
    @DisplayName("A unit stays with its holder if another one gives it back.")
    void ofAnother() throws Exception {
        stock.take(1);
        stock.node.giveBack(stock.id, 1, "order:nobody");
        stock.node.stocks.confirm();
        assertThat(stock.take(1)).isEmpty();
        assertThat(stock.contents()).isEqualTo(new RedisStockContents(true, 1, 0));
        assertThat(stock.node.refused).hasValue(0);
    }

    @Test
    @DisplayName("A load that is in progress begins again when a unit is given back.")
    void whileLoading() throws Exception {
        stock.take(1);
        stock.node.stocks.confirm();
        assertThat(stock.node.redis.beginLoading(stock.scope, "reading")).isTrue();
        BitSet before = new StockClaimQueries(stock.database).units(stock.scope);
        stock.node.giveBack(stock.id, 1, "order:1");

        assertThat(stock.node.redis.store(stock.scope, "reading", before)).isFalse();
        assertThat(stock.take(1)).hasValue(1);
    }
}
