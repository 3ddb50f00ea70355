package lottery.store.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meter of long batches")
class LongBatchMeterTest {

    private static final Duration LOOK = Duration.ofMillis(200);

    private final LongBatchMeter meter = new LongBatchMeter();
    private long nanos;
    private long position;

    /** The processor handles a batch of so many events, and somebody looks from time to time until it is done. */
    private void batch(long events, double seconds, Duration look) {
        long endNanos = nanos + (long) (seconds * 1e9);
        while (nanos + look.toNanos() < endNanos) {
            nanos += look.toNanos();
            meter.read(nanos, position);
        }
        nanos = endNanos;
        position += events;
        meter.read(nanos, position);
    }

    private void batch(long events, double seconds) {
        batch(events, seconds, LOOK);
    }

    private void stands(double seconds) {
        batch(0, seconds);
    }

    @Test
    @DisplayName("knows the speed when it has seen the ends of two batches")
    void two() {
        batch(500, 9);
        assertThat(meter.speed()).isZero();
        batch(450, 9);
        assertThat(meter.speed()).isCloseTo(50, within(0.1));
        stands(8);
        assertThat(meter.speed()).isCloseTo(50, within(0.1));
    }

    @Test
    @DisplayName("knows the speed also if some of the batches are short")
    void someShort() {
        for (int i = 0; i < 6; i++) {
            batch(500, 9);
            batch(500, 0.4);
            batch(500, 0.4);
        }
        assertThat(meter.speed()).isBetween(100.0, 250.0);
    }

    @Test
    @DisplayName("leaves short batches to others, and those of a few events")
    void others() {
        for (int i = 0; i < 100; i++) {
            batch(500, 1);
            assertThat(meter.speed()).isZero();
        }
        for (int i = 0; i < 20; i++) {
            batch(100, 5);
        }
        assertThat(meter.speed()).isZero();
    }

    @Test
    @DisplayName("sees no batches if it looks more rarely than they end")
    void rarely() {
        for (int i = 0; i < 20; i++) {
            batch(450, 3, Duration.ofSeconds(3));
            assertThat(meter.speed()).isZero();
        }
    }

    @Test
    @DisplayName("notices that the processor stands still after twice the time of its longest batch")
    void still() {
        batch(500, 6);
        batch(500, 6);
        stands(11.9);
        assertThat(meter.speed()).isPositive();
        stands(0.4);
        assertThat(meter.speed()).isZero();
    }

    @Test
    @DisplayName("takes no outage for a batch")
    void outage() {
        for (int outage = 1; outage < 100; outage += 7) {
            for (int i = 0; i < 20; i++) {
                batch(500, 0.2);
            }
            stands(outage);
            assertThat(meter.speed()).as("after %d s", outage).isZero();
            batch(500, 0.2);
            batch(500, 0.2);
            stands(20);
            assertThat(meter.speed()).as("after %d s", outage).isZero();
        }
    }

    @Test
    @DisplayName("forgets what it saw before a time without readings")
    void blind() {
        batch(500, 9);
        batch(500, 9);
        nanos += Duration.ofSeconds(11).toNanos();
        stands(0.2);
        assertThat(meter.speed()).isZero();
    }
}
