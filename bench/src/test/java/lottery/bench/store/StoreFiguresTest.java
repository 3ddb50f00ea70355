package lottery.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import lottery.bench.store.LatencyList.Percentiles;
import lottery.bench.store.LoadGenerator.LoadOutcome;
import lottery.bench.store.variant.StoreVariantKind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The figures of the event store")
class StoreFiguresTest {

    @Test
    @DisplayName("The percentiles are of every call, whichever caller made it")
    void percentiles() {
        LatencyList odd = new LatencyList();
        LatencyList even = new LatencyList();
        LongStream.rangeClosed(1, 10_000).forEach(i -> (i % 2 == 0 ? even : odd).add(i * 1_000_000));

        assertThat(LatencyList.percentiles(List.of(odd, even))).isEqualTo(new Percentiles(5_000, 9_900, 10_000));
        assertThat(LatencyList.percentiles(List.of())).isEqualTo(new Percentiles(0, 0, 0));
    }

    @Test
    @DisplayName("A figure is the median of the rounds")
    void median() {
        StoreVariantSummary summary = StoreVariantSummary.of(List.of(round(300), round(100), round(200)));

        assertThat(summary.unitsPerSecond()).isEqualTo(200);
        assertThat(summary.unitsPerSecondMin()).isEqualTo(100);
        assertThat(summary.unitsPerSecondMax()).isEqualTo(300);
    }

    private static StoreRound round(double perSecond) {
        return new StoreRound(StoreVariantKind.OURS, 64, 1, perSecond, new Percentiles(1, 2, 3), 1, 1, 1);
    }

    @Test
    @DisplayName("A stall counts for all calls that were due meanwhile")
    void stall() {
        AtomicInteger calls = new AtomicInteger();
        Object door = new Object();

        LoadOutcome outcome = LoadGenerator.open(1_000, Duration.ofMillis(400), () -> true, () -> {
            synchronized (door) {
                if (calls.getAndIncrement() == 0) {
                    LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
                }
            }
        });

        assertThat(outcome.calls()).isEqualTo(400);
        assertThat(outcome.latency().max()).isGreaterThan(199);
        assertThat(outcome.latency().p99())
                .as("of those who came during the stall")
                .isGreaterThan(100);
    }

    @Test
    @DisplayName("There are no figures when a call has failed")
    void failure() {
        assertThatThrownBy(() -> LoadGenerator.closed(2, Duration.ofSeconds(5), () -> {
                    throw new IllegalArgumentException("on purpose");
                }))
                .hasRootCauseMessage("on purpose");
    }

    @Test
    @DisplayName("An option that is not understood is refused")
    void options() {
        assertThatThrownBy(() -> StoreOptions.of(new String[] {"--round=3"})).hasMessageContaining("--round");
        assertThatThrownBy(() -> StoreOptions.of(new String[] {"--rounds=0"})).hasMessageContaining("--rounds");
        assertThat(StoreOptions.of(new String[0]).only()).containsExactlyInAnyOrder(StoreVariantKind.values());
    }
}
