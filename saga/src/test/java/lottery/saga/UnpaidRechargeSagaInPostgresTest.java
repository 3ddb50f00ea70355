package lottery.saga;

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
import lottery.api.account.RechargeResult;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
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
@DisplayName("A recharge that is paid later")
class UnpaidRechargeSagaInPostgresTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Is so far in the future that nothing is due by accident, and near enough for the database. */
    private static final Instant PAY_BY = Instant.parse("2051-01-01T00:00:00.123456Z");

    private final Recharges recharges;
    private final TestClock clock;
    private final JdbcClient database;
    private final StreamingEventProcessor processor;
    private final SmartLifecycle sweep;

    private UserId user = new UserId("nobody");
    private RechargeId id = RechargeId.of(user, "payment");

    UnpaidRechargeSagaInPostgresTest(
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

    /** Gives each test its own user: all tests share one store. */
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
                rechargeId,
                new ActivityId(100),
                user,
                new SkuId(9001),
                "payment",
                new ChanceBundle(10, 5, 2),
                true,
                PAY_BY,
                null);
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

    private boolean hasSaga(RechargeId rechargeId) {
        return database.sql("SELECT count(*) FROM saga WHERE type = 'recharge' AND association = ?")
                        .param(rechargeId.text())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    private void awaitEnded() {
        await("saga ended").atMost(LIMIT).until(() -> !hasSaga(id));
    }

    /** Waits until a new event was handled, and so all events before it. */
    private void awaitHandled() {
        RechargeId last = RechargeId.of(user, "last");
        recharges.order(ordered(last));
        await("all was handled").atMost(LIMIT).until(() -> hasSaga(last));
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
    @DisplayName("A recharge is closed when its time for payment is over, by itself, once, and not earlier.")
    void unpaid() {
        order();
        clock.set(PAY_BY.minusSeconds(3));
        await("closed").atMost(LIMIT).until(() -> recharges.stateOf(id) == RechargeResult.RechargeState.CLOSED);
        awaitEnded();
        assertThat(recharges.askedFor(id)).singleElement().satisfies(asked -> {
            assertThat(asked.close()).isEqualTo(new CloseRecharge(id));
            assertThat(asked.at()).isBetween(PAY_BY, PAY_BY.plusSeconds(5));
        });
    }

    @Test
    @DisplayName("A recharge that is paid in time has no saga any more, and no command closes it.")
    void paid() {
        order();
        recharges.complete(id);
        awaitEnded();
        clock.set(PAY_BY);
        awaitOthersClosed();
        assertThat(recharges.askedFor(id)).isEmpty();
    }

    /** Waits for another recharge: the longest due come first, so that all that were due before it were tried. */
    private void awaitOthersClosed() {
        RechargeId other = RechargeId.of(user, "other");
        recharges.order(ordered(other));
        await("another one is closed")
                .atMost(LIMIT)
                .until(() -> recharges.stateOf(other) == RechargeResult.RechargeState.CLOSED);
    }

    @Test
    @DisplayName("A close that fails is repeated until it succeeds, with growing pauses.")
    void again() {
        order();
        recharges.fail(id, 2);
        clock.set(PAY_BY);
        await("closed").atMost(LIMIT).until(() -> recharges.stateOf(id) == RechargeResult.RechargeState.CLOSED);
        awaitEnded();
        List<Instant> asked =
                recharges.askedFor(id).stream().map(Recharges.ReceivedClose::at).toList();
        assertThat(asked).hasSize(3);
        // The pauses are two and four seconds, less the time of the command; the poller looks each second.
        assertThat(asked.get(2)).isAfter(asked.get(1).plusSeconds(3));
    }

    @Test
    @DisplayName("A recharge is closed by any process that runs at its time, because all its state is stored.")
    void restarted() throws Exception {
        order();
        stop();
        clock.set(PAY_BY);
        start();
        await("closed").atMost(LIMIT).until(() -> recharges.stateOf(id) == RechargeResult.RechargeState.CLOSED);
        awaitEnded();
    }

    @Test
    @DisplayName("A recharge has no second saga when all events are handled again.")
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
        assertThat(hasSaga(id)).isFalse();
        assertThat(recharges.askedFor(id)).isEmpty();
    }

    @Test
    @DisplayName("A recharge that is paid at once has no saga.")
    void atOnce() {
        recharges.completeAtOnce(ordered(id));
        awaitHandled();
        assertThat(hasSaga(id)).isFalse();
    }
}
