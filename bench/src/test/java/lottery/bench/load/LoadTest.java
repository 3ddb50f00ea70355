package lottery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import lottery.bench.load.Result.Percentiles;
import lottery.bench.load.Result.Second;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Under load")
class LoadTest {

    @Test
    @DisplayName("what is not said is usual")
    void usual() {
        assertThat(Options.of(new String[] {"--scenario=hot-user", "--rate=500", "--url=http://10.0.0.1:81/"}))
                .isEqualTo(new Options(
                        URI.create("http://10.0.0.1:81"),
                        Scenario.HOT_USER,
                        64,
                        500,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(60),
                        20_000,
                        10_000,
                        Path.of("bench/target/load")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--connections=0",
                "--seconds=soon",
                "--speed=9",
                "draws",
                "--scenario=dance",
                "--url=ftp://localhost",
                "--users=99999999999"
            })
    @DisplayName("what is not understood is said")
    void misunderstood(String argument) {
        assertThatThrownBy(() -> Options.of(new String[] {argument})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("requests at a fixed rate are due when they are, however late somebody comes to send them")
    void open() {
        Pace pace = Pace.at(1_000);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        long first = pace.awaitNext().orElseThrow();
        for (int i = 1; i < 40; i++) {
            assertThat(pace.awaitNext().orElseThrow()).isCloseTo(first + i * 1_000_000L, within(1L));
        }
    }

    @Test
    @DisplayName("nobody is sent before it is due")
    void due() {
        Pace pace = Pace.at(50);
        long first = pace.awaitNext().orElseThrow();
        for (int i = 0; i < 3; i++) {
            assertThat(pace.awaitNext().orElseThrow()).isLessThanOrEqualTo(System.nanoTime());
        }
        assertThat(System.nanoTime() - first)
                .isGreaterThanOrEqualTo(Duration.ofMillis(60).toNanos());
    }

    @Test
    @DisplayName("what was due before the end is asked after it, or counted as never asked")
    void end() {
        Pace pace = Pace.at(100);
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        pace.end();
        long left = pace.left();
        assertThat(left).isGreaterThanOrEqualTo(10);
        assertThat(pace.awaitNext()).isPresent();
        assertThat(pace.left()).isEqualTo(left - 1);
        while (pace.awaitNext().isPresent()) {
            // All that were due.
        }
        assertThat(pace.left()).isZero();
    }

    @Test
    @DisplayName("without a rate, nothing is due after the end")
    void closed() {
        Pace pace = Pace.asAnswered();
        assertThat(pace.awaitNext()).isPresent();
        pace.end();
        assertThat(pace.awaitNext()).isEmpty();
        assertThat(pace.left()).isZero();
    }

    @Test
    @DisplayName("a lottery says how far behind its processors are")
    void vitals() {
        Vitals vitals = Vitals.parse("""
                # TYPE lottery_projection_lag_events gauge
                lottery_projection_lag_events{application="lottery",processor="accounts"} 12.0
                lottery_projection_lag_events{application="lottery",processor="grants"} 1.2345E7
                lottery_projection_lag_events{application="lottery",processor="campaigns"} NaN
                lottery_log_events{application="lottery"} 2.0E7
                jvm_memory_used_bytes{area="heap",id="G1 Eden Space"} 1.048576E8
                jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 1048576.0
                jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 5.0E8
                """);
        assertThat(vitals).isEqualTo(new Vitals(OptionalLong.of(12_345_000), OptionalLong.of(20_000_000), 101));
        assertThat(vitals.hasSeenAll()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lottery_projection_lag_events{processor=\"a\"} NaN", "jvm_threads_live_threads 9.0"})
    @DisplayName("a lottery that does not say how far behind it is has not seen all")
    void unknown(String metrics) {
        assertThat(Vitals.parse(metrics).lag()).isEmpty();
        assertThat(Vitals.parse(metrics).hasSeenAll()).isFalse();
    }

    private static Result result(Map<String, Long> answers, boolean isAtRest) {
        return new Result(
                Map.of("scenario", "<draws>"),
                100,
                50,
                List.of(40.0, 60.0),
                new Percentiles(1, 2, 3, 4, 5),
                answers,
                7L,
                isAtRest ? 12L : null,
                99,
                List.of(new Second(-1, 10, 1, 2, 3, 0, null, 9), new Second(0, 100, 1, 2, 3, 0, 7L, 99)));
    }

    @Test
    @DisplayName("refusals are no faults, and errors, missing answers and what never comes to rest are")
    void sound() {
        assertThat(result(Map.of("201", 9L, "409 QUOTA_DAY", 1L, "503 BUSY", 3L), true)
                        .isSound())
                .isTrue();
        assertThat(result(Map.of("201", 9L), false).isSound()).isFalse();
        assertThat(result(Map.of("201", 9L, "500 INTERNAL", 1L), true).isSound())
                .isFalse();
        assertThat(result(Map.of("201", 9L, "no answer: hung up", 1L), true).isSound())
                .isFalse();
        assertThat(result(Map.of("201", 9L, "422 KEY_REUSED", 1L), true).isSound())
                .isFalse();
    }

    @Test
    @DisplayName("the page says what was found, and nothing that came from outside becomes part of it")
    void page() {
        assertThat(Page.html(result(Map.of("201", 9L), true)))
                .contains("p99 3.0", "at rest after 12 ms", "&lt;draws&gt;", "<polyline")
                .doesNotContain("<draws>");
    }
}
