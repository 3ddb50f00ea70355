package lottery.view.wins;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import lottery.api.award.AwardState;
import lottery.api.award.Win.WinStep;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The steps of a win")
class WinStepsCodecTest {

    private static final Instant WON_AT = Instant.parse("2026-11-30T04:00:00.123456789Z");
    private static final Instant GRANTED_AT = Instant.parse("2026-11-30T04:00:01Z");

    @Test
    @DisplayName("The steps are read as they were written, with the precision of the columns.")
    void roundTrip() {
        String steps = WinStepsCodec.next(WinStepsCodec.first(WON_AT), AwardState.GRANTED, GRANTED_AT);

        assertThat(steps).isEqualTo("WON 2026-11-30T04:00:00.123457Z, GRANTED 2026-11-30T04:00:01Z");
        assertThat(WinStepsCodec.in(steps))
                .containsExactly(
                        new WinStep(AwardState.WON, Instant.parse("2026-11-30T04:00:00.123457Z")),
                        new WinStep(AwardState.GRANTED, GRANTED_AT));
    }
}
