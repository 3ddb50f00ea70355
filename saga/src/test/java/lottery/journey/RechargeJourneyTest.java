package lottery.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.Recharged;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Bundle;
import lottery.api.activity.Sku;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("A recharge that is paid for later")
class RechargeJourneyTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** So far from now that nothing is due by accident, and near enough that the database knows the time. */
    private static final Instant PAY_BY = Instant.parse("2051-01-01T00:00:00.123456Z");

    private final Recharges recharges;
    private final TestClock clock;
    private final JdbcClient database;
    private final StreamingEventProcessor processor;
    private final SmartLifecycle sweep;

    private UserId user = new UserId("nobody");
    private RechargeId id = RechargeId.of(user, "payment");

    RechargeJourneyTest(
            Recharges recharges,
            TestClock clock,
            JdbcClient database,
            EventProcessingConfiguration processing,
            @Qualifier("sagaSweep") SmartLifecycle sweep) {
        this.recharges = recharges;
        this.clock = clock;
        this.database = database;
        this.processor = processing
                .eventProcessor("recharges", StreamingEventProcessor.class)
                .orElseThrow();
        this.sweep = sweep;
    }

    /** All tests share one store: each has a user of its own. */
    @BeforeEach
    void ownRecharge(TestInfo test) {
        user = new UserId(test.getTestMethod().orElseThrow().getName());
        id = RechargeId.of(user, "payment");
    }

    @AfterEach
    void today() {
        clock.reset();
        database.sql("DELETE FROM saga WHERE type = 'recharge'").update();
    }

    private RechargeOrdered ordered(RechargeId rechargeId) {
        return new RechargeOrdered(
                rechargeId, new ActivityId(100), user, new Sku(9001), "payment", new Bundle(10, 5, 2), 17, PAY_BY);
    }

    private void order() {
        recharges.order(ordered(id));
        awaitDue(PAY_BY);
    }

    private void awaitDue(Instant dueAt) {
        await("due at " + dueAt)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                database.sql("SELECT due_at FROM saga WHERE type = 'recharge' AND association = ?")
                                        .param(id.text())
                                        .query((row, i) -> row.getTimestamp(1).toInstant())
                                        .optional())
                        .contains(dueAt));
    }

    private boolean hasJourney(RechargeId rechargeId) {
        return database.sql("SELECT count(*) FROM saga WHERE type = 'recharge' AND association = ?")
                        .param(rechargeId.text())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    private void awaitEnded() {
        await("journey ended").atMost(LIMIT).until(() -> !hasJourney(id));
    }

    /** Whatever has happened until now was handled, because what happens after it was. */
    private void awaitHandled() {
        RechargeId last = RechargeId.of(user, "last");
        recharges.order(ordered(last));
        await("all was handled").atMost(LIMIT).until(() -> hasJourney(last));
    }

    private void stop() throws Exception {
        processor.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        sweep.stop();
    }

    private void start() {
        processor.start();
        sweep.start();
    }

    @Test
    @DisplayName("is closed when the time for its payment is over, by itself, once, and not a moment earlier")
    void unpaid() {
        order();
        clock.set(PAY_BY.minusSeconds(3));
        await("closed").atMost(LIMIT).until(() -> recharges.stateOf(id) == Recharged.RechargeState.CLOSED);
        awaitEnded();
        assertThat(recharges.askedFor(id)).singleElement().satisfies(asked -> {
            assertThat(asked.close()).isEqualTo(new CloseRecharge(id));
            assertThat(asked.at()).isBetween(PAY_BY, PAY_BY.plusSeconds(5));
        });
    }

    @Test
    @DisplayName("and is paid for in time has no journey any more, and nobody asks for its close")
    void paid() {
        order();
        recharges.complete(id);
        awaitEnded();
        clock.set(PAY_BY);
        awaitOthersClosed();
        assertThat(recharges.askedFor(id)).isEmpty();
    }

    /** The longest due are the first to be looked at: when this one was asked, whoever was due before it had been. */
    private void awaitOthersClosed() {
        RechargeId other = RechargeId.of(user, "other");
        recharges.order(ordered(other));
        await("another one is closed")
                .atMost(LIMIT)
                .until(() -> recharges.stateOf(other) == Recharged.RechargeState.CLOSED);
    }

    @Test
    @DisplayName("that cannot be closed is asked again until it has been, with growing pauses")
    void again() {
        order();
        recharges.fail(id, 2);
        clock.set(PAY_BY);
        await("closed").atMost(LIMIT).until(() -> recharges.stateOf(id) == Recharged.RechargeState.CLOSED);
        awaitEnded();
        List<Instant> asked =
                recharges.askedFor(id).stream().map(Recharges.Asked::at).toList();
        assertThat(asked).hasSize(3);
        // The pauses are of two seconds and of four, less what an errand was under way; the sweep looks each second.
        assertThat(asked.get(2)).isAfter(asked.get(1).plusSeconds(3));
    }

    @Test
    @DisplayName("is closed by whoever runs when it is time, because all that it waits for is in the store")
    void restarted() throws Exception {
        order();
        stop();
        clock.set(PAY_BY);
        start();
        await("closed").atMost(LIMIT).until(() -> recharges.stateOf(id) == Recharged.RechargeState.CLOSED);
        awaitEnded();
    }

    @Test
    @DisplayName("has no second journey when everything is handled again")
    void replayed() throws Exception {
        order();
        recharges.complete(id);
        awaitEnded();
        stop();
        assertThat(database.sql("DELETE FROM token WHERE processor = 'recharges'")
                        .update())
                .isPositive();
        start();
        awaitHandled();
        assertThat(hasJourney(id)).isFalse();
        assertThat(recharges.askedFor(id)).isEmpty();
    }

    @Test
    @DisplayName("is none that was paid for at once: such a one has no journey")
    void atOnce() {
        recharges.completeAtOnce(ordered(id));
        awaitHandled();
        assertThat(hasJourney(id)).isFalse();
    }
}
