package lottery.saga.payment;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import lottery.api.Money;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A payment that is not settled")
class PaymentSagaStateTest {

    private static final Instant NOW = Instant.parse("2026-11-30T04:00:00Z");
    private static final Instant EXPIRES_AT = NOW.plusSeconds(1_800);
    private static final UserId ANN = new UserId("ann");
    private static final PaymentId ID = PaymentId.of(ANN, "buy-1");
    private static final PaymentOrdered ORDERED = new PaymentOrdered(
            ID,
            new ActivityId(100),
            ANN,
            new SkuId(1),
            "buy-1",
            new Money(BigDecimal.ONE, "CNY"),
            "simulator",
            EXPIRES_AT);

    @Test
    @DisplayName("The money is looked for at growing intervals, and then at the end of the time, without being late.")
    void looksForMoney() {
        PaymentSagaState state = PaymentSagaState.of(ORDERED, NOW);
        int times = 0;
        while (state.dueAt().isBefore(EXPIRES_AT)) {
            PaymentSagaState next = state.asked(state.dueAt());
            assertThat(next.dueAt()).isAfter(state.dueAt()).isBeforeOrEqualTo(EXPIRES_AT);
            assertThat(next.attempts()).isZero();
            state = next;
            times++;
        }
        assertThat(times).isBetween(8, 15);
        assertThat(state.dueAt()).isEqualTo(EXPIRES_AT);
    }

    @Test
    @DisplayName("After the time the step is repeated until it works, and each time counts as an attempt.")
    void insists() {
        PaymentSagaState state = PaymentSagaState.of(ORDERED, NOW).asked(EXPIRES_AT);
        assertThat(state.attempts()).isOne();
        assertThat(state.dueAt()).isEqualTo(EXPIRES_AT.plusSeconds(2));
        for (int i = 0; i < 20; i++) {
            state = state.asked(state.dueAt());
        }
        assertThat(state.attempts()).isEqualTo(21);
        assertThat(state.asked(NOW.plusSeconds(9_000)).dueAt()).isEqualTo(NOW.plusSeconds(9_060));
    }

    @Test
    @DisplayName("The step for money that has come is repeated soon.")
    void moneyCame() {
        PaymentSagaState state = PaymentSagaState.withMoney(ID, NOW);
        assertThat(Duration.between(NOW, state.dueAt())).isEqualTo(Duration.ofSeconds(2));
        assertThat(state.asked(state.dueAt()).attempts()).isEqualTo(2);
    }
}
