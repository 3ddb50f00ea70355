package lottery.stock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import lottery.stock.StockClaimLookupPacer.ClaimLookupResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The interval between checks of the claims")
class StockClaimLookupPacerTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T00:00:00Z"));
    private final InstantSource clock = now::get;
    private final StockClaimLookupPacer pace = new StockClaimLookupPacer();

    private Duration pauseAfter(ClaimLookupResult found, Duration took) {
        assertThat(pace.look(clock, () -> {
                    goOn(took);
                    return found;
                }))
                .isTrue();
        Instant began = now.get();
        while (!pace.isDue(now.get())) {
            goOn(Duration.ofMillis(10));
        }
        return Duration.between(began, now.get());
    }

    private void goOn(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    @Test
    @DisplayName("The first check is at once, further ones are soon while units are found, and rarer while none are.")
    void pauses() {
        assertThat(pace.isDue(now.get())).isTrue();
        assertThat(pauseAfter(ClaimLookupResult.UNITS, Duration.ZERO)).isEqualTo(Duration.ofMillis(20));
        assertThat(pauseAfter(ClaimLookupResult.NONE_NOW, Duration.ZERO)).isEqualTo(Duration.ofSeconds(1));
        assertThat(pauseAfter(ClaimLookupResult.NONE_STILL, Duration.ZERO)).isEqualTo(Duration.ofSeconds(2));
        assertThat(pauseAfter(ClaimLookupResult.NONE_STILL, Duration.ZERO)).isEqualTo(Duration.ofSeconds(4));
        for (int i = 0; i < 5; i++) {
            pauseAfter(ClaimLookupResult.NONE_STILL, Duration.ZERO);
        }
        assertThat(pauseAfter(ClaimLookupResult.NONE_STILL, Duration.ZERO)).isEqualTo(Duration.ofMinutes(1));
        assertThat(pauseAfter(ClaimLookupResult.UNITS, Duration.ZERO)).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    @DisplayName("Checks take a tenth of the time at most, also if there is a reason to check soon.")
    void tenth() {
        assertThat(pauseAfter(ClaimLookupResult.UNITS, Duration.ofMillis(500))).isEqualTo(Duration.ofSeconds(5));
        assertThat(pauseAfter(ClaimLookupResult.NONE_NOW, Duration.ofMillis(500)))
                .isEqualTo(Duration.ofSeconds(5));
        pace.look(clock, () -> {
            goOn(Duration.ofMillis(500));
            return ClaimLookupResult.NONE_NOW;
        });
        pace.soon();
        goOn(Duration.ofMillis(4990));
        assertThat(pace.isDue(now.get())).isFalse();
        goOn(Duration.ofMillis(10));
        assertThat(pace.isDue(now.get())).isTrue();
    }

    @Test
    @DisplayName("A check is soon after a unit has come back, however long there was none.")
    void soon() {
        for (int i = 0; i < 8; i++) {
            pauseAfter(ClaimLookupResult.NONE_STILL, Duration.ZERO);
        }
        pace.look(clock, () -> ClaimLookupResult.NONE_STILL);
        goOn(Duration.ofMillis(20));
        assertThat(pace.isDue(now.get())).isFalse();
        pace.soon();
        assertThat(pace.isDue(now.get())).isTrue();
    }

    @Test
    @DisplayName("One thread checks at a time.")
    void one() {
        pace.look(clock, () -> {
            assertThat(pace.look(clock, () -> ClaimLookupResult.UNITS)).isFalse();
            return ClaimLookupResult.UNITS;
        });
    }
}
