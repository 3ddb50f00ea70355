package lottery.saga.recharge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A recharge that is not paid yet")
class UnpaidRechargeSagaStateTest {

    private static final UserId ANN = new UserId("ann");
    private static final Instant PAY_BY = Instant.parse("2026-11-21T04:10:00.1234567Z");

    private final UnpaidRechargeSagaState unpaid = UnpaidRechargeSagaState.of(new RechargeOrdered(
            RechargeId.of(ANN, "payment"),
            new ActivityId(100),
            ANN,
            new SkuId(9001),
            "payment",
            new ChanceBundle(10, 5, 2),
            false,
            PAY_BY,
            null));

    @Test
    @DisplayName("The close is due at the end of the time for payment, and not earlier.")
    void due() {
        assertThat(unpaid.dueAt()).isEqualTo(PAY_BY);
        assertThat(unpaid.isDue(PAY_BY.minusNanos(1))).isFalse();
        assertThat(unpaid.isDue(PAY_BY)).isTrue();
    }

    @Test
    @DisplayName(
            "The close is due again after each command, with growing pauses of a minute at most, or when it is asked for.")
    void again() {
        UnpaidRechargeSagaState late = unpaid;
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Instant now = late.dueAt();
            late = late.asked(now);
            assertThat(late.isDue(now)).isTrue();
            pauses.add(Duration.between(now, late.dueAt()).toSeconds());
        }
        assertThat(pauses).containsExactly(2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }
}
