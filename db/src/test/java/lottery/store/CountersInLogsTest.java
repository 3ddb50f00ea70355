package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.axon.LimitedCounters;
import lottery.store.commit.CounterExhaustedException;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

@DisplayName("A limited thing, with four logs,")
@SpringBootTest(
        classes = TestStore.class,
        properties = {"lottery.logs=4", "lottery.data=${lottery.servers:target/servers}-of-logs"})
@Import(SeveralLogsTest.Sharded.class)
class CountersInLogsTest {

    private static final int ATTEMPTS_MAX = 20;
    private static final Duration KNOWN_MAX = Duration.ofSeconds(10);

    private final EventStore events;
    private final LimitedCounters counters;
    private final Logs logs;
    private final String counter = "units of " + UUID.randomUUID();

    @Autowired
    CountersInLogsTest(EventStore events, LimitedCounters counters, Logs logs) {
        this.events = events;
        this.counters = counters;
        this.logs = logs;
    }

    private static String parcel(int log) {
        return String.format(Locale.ROOT, "parcel:%02d:%s", log, UUID.randomUUID());
    }

    private boolean take(int log, long total) {
        return take(log, total, 1);
    }

    /** Takes units one by one with an event in a log, as a command would that is decided again when it fails. */
    private boolean take(int log, long total, int units) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            String parcel = parcel(log);
            UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
            try {
                boolean isLeft = logs.of(parcel).call(() -> !counters.isExhausted(counter, units, total));
                if (isLeft) {
                    for (int i = 0; i < units; i++) {
                        counters.take(counter, 1, total);
                    }
                    events.publish(
                            new GenericDomainEventMessage<>("parcel", parcel, 0, new ParcelSent(parcel, "Riga")));
                }
                unit.commit();
                return isLeft;
            } catch (CounterExhaustedException | ConcurrencyException taken) {
                // The next attempt knows more, or has a block.
            }
        }
        throw new IllegalStateException("too many attempts");
    }

    private void giveBack(int log) {
        String parcel = parcel(log);
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
        counters.giveBack(counter, 1);
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, 0, new ParcelMoved(parcel, "Riga")));
        unit.commit();
    }

    private long taken() {
        return counters.taken(List.of(counter)).getOrDefault(counter, 0L);
    }

    /** Returns how many units a log has taken, or has in its blocks; at home, also what was leased. */
    private long column(Log log, String column) {
        return log.sql()
                .sql("SELECT " + column + " FROM counter WHERE name = ?")
                .param(counter)
                .query((row, _) -> row.getLong(1))
                .optional()
                .orElse(0L);
    }

    @ParameterizedTest(name = "{0} units")
    @ValueSource(ints = {1, 7, 200})
    @DisplayName("is sold out to the last one, and never oversold, by callers in all logs at once")
    void soldOut(int total) throws Exception {
        List<Future<Integer>> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < 16; caller++) {
                int log = caller % 4;
                callers.add(threads.submit(() -> {
                    int won = 0;
                    while (take(log, total)) {
                        won++;
                    }
                    return won;
                }));
            }
            int won = 0;
            for (Future<Integer> caller : callers) {
                won += caller.get(1, TimeUnit.MINUTES);
            }
            assertThat(won).isEqualTo(total);
        }
        assertThat(taken()).isEqualTo(total);
        assertThat(logs.all().stream()
                                .mapToLong(log -> column(log, log.isHome() ? "0" : "taken"))
                                .sum()
                        + column(logs.home(), "taken")
                        - logs.all().stream()
                                .skip(1)
                                .mapToLong(log -> column(log, "total"))
                                .sum())
                .as("what is taken in all logs, by their rows")
                .isEqualTo(total);
    }

    @Test
    @DisplayName("that one log has leased and does not need goes to another one")
    void recalled() {
        assertThat(take(1, 100)).isTrue();
        assertThat(column(logs.all().get(1), "total")).as("a block of several").isGreaterThan(1);
        for (int i = 1; i < 100; i++) {
            assertThat(take(2, 100)).as("unit %d", i).isTrue();
        }
        assertThat(take(2, 100)).isFalse();
        assertThat(take(0, 100)).isFalse();
        assertThat(take(1, 100)).isFalse();
        assertThat(taken()).isEqualTo(100);
    }

    @Test
    @DisplayName("that another log has leased and does not need goes back home")
    void recalledHome() {
        assertThat(take(1, 100)).isTrue();
        for (int i = 1; i < 100; i++) {
            assertThat(take(0, 100)).as("unit %d", i).isTrue();
        }
        assertThat(take(0, 100)).isFalse();
        assertThat(taken()).isEqualTo(100);
    }

    @Test
    @DisplayName("is taken several times by one unit of work, as long as enough is left anywhere")
    void severalInOne() {
        assertThat(take(1, 20)).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(take(1, 20, 4)).isTrue();
        }
        assertThat(take(1, 20, 4)).isFalse();
        assertThat(take(1, 20, 3)).isTrue();
        assertThat(taken()).isEqualTo(20);
    }

    @ParameterizedTest(name = "in log {0}")
    @ValueSource(ints = {0, 1})
    @DisplayName("is left for a higher limit, although a lower one is reached")
    void higherLimit(int log) {
        assertThat(take(log, 10, 10)).isTrue();
        assertThat(take(log, 10)).isFalse();
        assertThat(take(log, 12)).isTrue();
        assertThat(take(log, 12, 2)).isFalse();
        assertThat(take(log, 12)).isTrue();
        assertThat(take(log, 12)).isFalse();
    }

    @Test
    @DisplayName("is not lost if its process dies between the two sides of a lease, or of a return")
    void crashed() {
        logs.home()
                .sql()
                .sql("SELECT counter_block_lease(2, ?, 10, 1, 10)")
                .param(counter)
                .query()
                .singleRow();
        assertThat(column(logs.home(), "taken")).isEqualTo(10);
        assertThat(take(3, 10)).as("a block that log 2 has not even seen").isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(take(2, 10)).isTrue();
        }
        logs.all()
                .get(2)
                .sql()
                .sql("SELECT counter_block_return(2, ?)")
                .param(counter)
                .query()
                .singleRow();
        for (int i = 0; i < 4; i++) {
            assertThat(take(2, 10))
                    .as("what log 2 has given back itself, and home has not seen")
                    .isTrue();
        }
        assertThat(take(2, 10)).isFalse();
        assertThat(taken()).isEqualTo(10);
    }

    @ParameterizedTest(name = "from log {0}")
    @ValueSource(ints = {0, 1, 2})
    @DisplayName("that is given back in one log can be taken in another one")
    void givenBack(int from) {
        Map<Integer, Integer> shares = Map.of(0, 2, 1, 2, 2, 2);
        shares.forEach((log, units) -> {
            for (int i = 0; i < units; i++) {
                assertThat(take(log, 6)).isTrue();
            }
        });
        assertThat(take(3, 6)).isFalse();
        giveBack(from);
        await().atMost(KNOWN_MAX).until(() -> take(3, 6));
        assertThat(take(from, 6)).isFalse();
        assertThat(taken()).isEqualTo(6);
    }

    @ParameterizedTest(name = "returned: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("is received once, however often a block is offered")
    void receivedOnce(boolean returned) {
        assertThat(take(0, 10)).isTrue();
        long before = column(logs.home(), returned ? "taken" : "total");
        for (int i = 0; i < 2; i++) {
            logs.home()
                    .sql()
                    .sql("SELECT counter_block_receive(9, ?, 1, ?, 1)")
                    .param(returned)
                    .param(counter)
                    .query()
                    .singleRow();
        }
        assertThat(column(logs.home(), returned ? "taken" : "total")).isEqualTo(returned ? before - 1 : before + 1);
    }
}
