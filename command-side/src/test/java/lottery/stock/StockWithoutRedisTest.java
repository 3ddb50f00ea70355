package lottery.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.stock.StockFixture.ANSWER_MAX;
import static lottery.stock.StockFixture.units;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

@DisplayName("Draws go on without Redis.")
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
@ContextConfiguration(initializers = RedisLink.LinkInitializer.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class StockWithoutRedisTest {

    @AutoClose
    private final StockFixture stock;

    StockWithoutRedisTest(StockFixture stock) {
        this.stock = stock;
    }

    @Test
    @DisplayName("Draws go on when Redis is cut off and comes back.")
    void cutInTheMiddle() throws Exception {
        AllocatorNode other = stock.newNode();
        stock.takeAtOnce(150, 300, stock.link::cut, stock.node, other);
        assertThat(stock.claimed()).hasSize(150);
        assertThat(stock.node.circuit.state().isClosed()).isFalse();

        stock.takeAtOnce(
                100,
                300,
                () -> {
                    stock.link.mend();
                    stock.awaitRedis(stock.node);
                },
                stock.node,
                other);
        assertThat(stock.claimed()).hasSize(250);
        stock.awaitRedis(other);
        stock.takeAtOnce(100, 300, () -> {}, stock.node, other);
        stock.node.stocks.confirm();
        stock.clock.putForward(Duration.ofSeconds(61));
        stock.node.stocks.expire();
        stock.takeTheRest(300);

        assertThat(stock.claimed()).isEqualTo(units(300));
    }

    @Test
    @DisplayName("Units taken with Redis are known without it, and the other way round, before they are relied on.")
    void learned() {
        stock.take(12);
        stock.take(12);
        for (int round = 0; round < 2; round++) {
            stock.link.cut();
            for (int i = 0; i < 3; i++) {
                assertThat(stock.take(12)).isPresent();
            }
            stock.link.mend();
            stock.awaitRedis(stock.node);
            stock.take(12);
            stock.take(12);
        }
        assertThat(stock.claimed()).isEqualTo(units(12));
        // The unit of work that found out that Redis is away had its unit from PostgreSQL.
        assertThat(stock.node.refused).hasValue(0);
    }

    @Test
    @DisplayName("When Redis does not answer, at most one draw waits for it, and not for long.")
    void silent() {
        stock.take(100);
        stock.link.swallow();
        long began = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(stock.take(100)).isPresent();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(ANSWER_MAX.multipliedBy(2));
        assertThat(stock.node.circuit.state().isClosed()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"full", "a replica"})
    @DisplayName("Draws go on when Redis refuses writes.")
    void takesNothing(String what) {
        stock.take(10);
        boolean isFull = what.equals("full");
        set(isFull ? "maxmemory 1" : "replicaof 127.0.0.1 1");
        try {
            assertThat(stock.take(10)).isPresent();
            assertThat(stock.node.circuit.state().isClosed()).isFalse();
            stock.node.stocks.probe();
            assertThat(stock.node.circuit.state().isClosed()).isFalse();
            assertThat(stock.take(10)).isPresent();
        } finally {
            set(isFull ? "maxmemory 0" : "replicaof no one");
        }
        stock.awaitRedis(stock.node);
        while (stock.take(10).isPresent()) {
            assertThat(stock.claimed()).hasSizeLessThanOrEqualTo(10);
        }
        assertThat(stock.claimed()).isEqualTo(units(10));
    }

    private void set(String what) {
        List<String> words = List.of(what.split(" ", -1));
        stock.redis.execute((RedisCallback<Object>) connection -> {
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
