package lottery.stock;

import static lottery.stock.StockFixture.units;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

@DisplayName("No damage in Redis lets a unit be taken twice.")
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
@ContextConfiguration(initializers = RedisLink.LinkInitializer.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class RedisDamageTest {

    @AutoClose
    private final StockFixture stock;

    RedisDamageTest(StockFixture stock) {
        this.stock = stock;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("Every unit is taken once, whatever is done to Redis in between.")
    void sabotaged(RedisDamage how) throws Exception {
        AllocatorNode other = stock.newNode();
        stock.takeAtOnce(200, 300, () -> stock.damage(how), stock.node, other);
        assertThat(stock.claimed()).isNotEmpty().hasSizeLessThanOrEqualTo(200).doesNotHaveDuplicates();

        stock.damage(how);
        // Reservations without a draw are found after a minute.
        stock.clock.putForward(Duration.ofSeconds(1));
        stock.node.stocks.expire();
        stock.clock.putForward(Duration.ofSeconds(61));
        stock.node.stocks.expire();
        stock.takeTheRest(300);

        assertThat(stock.claimed()).isEqualTo(units(300));
        assertThat(stock.take(300)).isEmpty();
        assertThat(List.of(stock.node, other))
                .allMatch(each -> each.circuit.state().isClosed(), "Redis was never away");
    }
}
