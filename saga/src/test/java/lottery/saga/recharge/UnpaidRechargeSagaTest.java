package lottery.saga.recharge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import org.axonframework.test.saga.SagaTestFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The saga of a recharge that is paid later")
class UnpaidRechargeSagaTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final UserId ANN = new UserId("ann");
    private static final SkuId SKU = new SkuId(9001);
    private static final ChanceBundle BUNDLE = new ChanceBundle(10, 5, 2);
    private static final Instant PAY_BY = Instant.parse("2026-11-21T04:10:00Z");
    private static final RechargeOrdered ORDERED = ordered("payment", PAY_BY);
    private static final RechargeId ID = ORDERED.rechargeId();
    private static final RechargeCompleted COMPLETED = completed("payment");
    private static final RechargeClosed CLOSED = new RechargeClosed(ID, ANN);

    private final SagaTestFixture<UnpaidRechargeSaga> fixture = new SagaTestFixture<>(UnpaidRechargeSaga.class);

    private static RechargeOrdered ordered(String businessNo, Instant payBy) {
        return new RechargeOrdered(
                RechargeId.of(ANN, businessNo), ACTIVITY, ANN, SKU, businessNo, BUNDLE, false, payBy, null);
    }

    private static RechargeCompleted completed(String businessNo) {
        return new RechargeCompleted(
                RechargeId.of(ANN, businessNo), ACTIVITY, ANN, SKU, businessNo, BUNDLE, false, null);
    }

    @Test
    @DisplayName("The saga begins with the order, and sends nothing.")
    void ordered() {
        fixture.givenNoPriorActivity()
                .whenPublishingA(ORDERED)
                .expectActiveSagas(1)
                .expectAssociationWith("rechargeId", ID.text())
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("The saga is the same one when the order is handled again, and is due at the same time.")
    void orderedAgain() {
        fixture.givenAPublished(ORDERED).whenPublishingA(ORDERED).expectActiveSagas(1);

        UnpaidRechargeSaga saga = new UnpaidRechargeSaga();
        saga.on(ORDERED);
        saga.on(ordered("payment", PAY_BY.plusSeconds(1)));
        assertThat(saga.dueAt()).isEqualTo(PAY_BY);
    }

    @Test
    @DisplayName("The saga ends with the payment, and no command closes the recharge.")
    void completed() {
        fixture.givenAPublished(ORDERED)
                .whenPublishingA(COMPLETED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("The saga ends with the close.")
    void closed() {
        fixture.givenAPublished(ORDERED)
                .whenPublishingA(CLOSED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("A second end changes nothing.")
    void twice() {
        fixture.givenAPublished(ORDERED)
                .andThenAPublished(COMPLETED)
                .whenPublishingA(COMPLETED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands()
                .expectSuccessfulHandlerExecution();
    }

    @Test
    @DisplayName("A completion without an order begins no saga, because such a recharge was paid at once.")
    void atOnce() {
        fixture.givenNoPriorActivity()
                .whenPublishingA(COMPLETED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("Another recharge of the same user does not end the saga.")
    void ownEndOnly() {
        fixture.givenAPublished(ORDERED).whenPublishingA(completed("another")).expectActiveSagas(1);
    }
}
