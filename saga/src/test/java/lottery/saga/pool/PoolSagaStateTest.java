package lottery.saga.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.DrawPlan.DrawMode;
import lottery.api.award.AwardRecordId;
import lottery.api.pool.PoolCommand.CloseEntries;
import lottery.api.pool.PoolCommand.DrawPoolPage;
import lottery.api.pool.PoolCommand.FreezePool;
import lottery.api.pool.PoolCommand.MoveReserveUp;
import lottery.api.pool.PoolCommand.OrderPool;
import lottery.api.pool.PoolEvent.EntriesClosed;
import lottery.api.pool.PoolEvent.EntriesReturned;
import lottery.api.pool.PoolEvent.PoolCancelled;
import lottery.api.pool.PoolEvent.PoolDrawn;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolEvent.ReservesUsedUp;
import lottery.api.strategy.StrategyId;
import lottery.saga.command.SagaCommands;
import lottery.saga.pool.PoolSagaState.PoolSagaStep;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The schedule of a pool")
class PoolSagaStateTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final Instant BEGIN = Instant.parse("2026-11-21T04:00:00Z");
    private static final Instant CLOSE = BEGIN.plus(Duration.ofHours(1));
    private static final Instant DRAW = BEGIN.plus(Duration.ofHours(2));
    private static final ActivityStarted STARTED = new ActivityStarted(ACTIVITY, 1, "c", "s", "bound to 1");
    private static final AwardRecordId AWARD = AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11");
    private static final PoolFrozen FROZEN =
            new PoolFrozen(ACTIVITY, 3, "r", 1, new StrategyId(7), 1, "hash of 1", "file", "round", DRAW, 1);
    private static final PoolOrdered ORDERED = new PoolOrdered(ACTIVITY, "value", "key", 2, 1);
    private static final PoolDrawn DRAWN = new PoolDrawn(ACTIVITY, 3, 2, 1, "value", "key");

    private static ActivityDefinition definition(DrawPlan plan) {
        return new ActivityDefinition(
                "Spring",
                null,
                BEGIN,
                DRAW.plusSeconds(1),
                ZoneId.of("Asia/Shanghai"),
                new StrategyId(7),
                null,
                null,
                null,
                null,
                null,
                List.of(),
                plan,
                null);
    }

    private static PoolSagaState fresh(DrawPlan plan) {
        return PoolSagaState.of(ACTIVITY, definition(plan));
    }

    private static PoolSagaState started() {
        return fresh(new DrawPlan(DrawMode.SCHEDULED, DRAW, CLOSE, 1)).after(STARTED, BEGIN);
    }

    private static PoolSagaState drawn() {
        return started()
                .after(new EntriesClosed(ACTIVITY), CLOSE)
                .after(FROZEN, CLOSE)
                .after(ORDERED, DRAW)
                .after(DRAWN, DRAW);
    }

    @Test
    @DisplayName("counts commands without effect, so that operators see its saga among the late ones")
    @SuppressWarnings("NullAway") // To close entries, no chance is given back.
    void attempts() {
        UnitOfWork<?> sweep = DefaultUnitOfWork.startAndGet(GenericEventMessage.asEventMessage("due"));
        CommandGateway gateway = DefaultCommandGateway.builder()
                .commandBus(SimpleCommandBus.builder().build())
                .build();
        PoolSaga saga = new PoolSaga();
        saga.on(new ActivityCreated(ACTIVITY, definition(new DrawPlan(DrawMode.SCHEDULED, DRAW, CLOSE, 1))));
        saga.on(STARTED, () -> BEGIN);
        assertThat(saga.attempts()).isZero();
        for (int i = 0; i < 4; i++) {
            saga.act(CLOSE, new SagaCommands(Runnable::run), gateway, null, null);
        }
        assertThat(saga.attempts()).isEqualTo(4);
        sweep.rollback();
    }

    @Test
    @DisplayName("has nothing to do in an activity that draws at once, whatever happens to its awards")
    void atOnce() {
        PoolSagaState schedule = PoolSagaState.of(
                        ACTIVITY,
                        new ActivityDefinition(
                                "Spring",
                                null,
                                BEGIN,
                                DRAW,
                                ZoneId.of("Asia/Shanghai"),
                                new StrategyId(7),
                                null,
                                null,
                                null,
                                List.of()))
                .after(STARTED, BEGIN)
                .vacated(AWARD, DRAW)
                .after(new ActivityClosed(ACTIVITY), DRAW);
        assertThat(schedule.dueAt()).isNull();
        assertThat(schedule.commands()).isEmpty();
    }

    @Test
    @DisplayName("closes at the close, freezes at once, orders at the time of the draw, and draws page by page")
    void wholeLife() {
        PoolSagaState schedule = started();
        assertThat(schedule.dueAt()).isEqualTo(CLOSE);
        assertThat(schedule.commands()).contains(new CloseEntries(ACTIVITY));
        schedule = schedule.asked(CLOSE);
        assertThat(schedule.dueAt()).isEqualTo(CLOSE.plusSeconds(2));
        schedule = schedule.asked(CLOSE.plusSeconds(2));
        assertThat(schedule.dueAt()).isEqualTo(CLOSE.plusSeconds(6));
        schedule = schedule.after(new EntriesClosed(ACTIVITY), CLOSE.plusSeconds(7));
        assertThat(schedule.isDue(CLOSE.plusSeconds(7))).isTrue();
        assertThat(schedule.commands()).contains(new FreezePool(ACTIVITY));
        schedule = schedule.after(FROZEN, CLOSE.plusSeconds(8));
        assertThat(schedule.dueAt()).isEqualTo(DRAW);
        assertThat(schedule.commands()).contains(new OrderPool(ACTIVITY));
        schedule = schedule.after(ORDERED, DRAW);
        assertThat(schedule.commands()).contains(new DrawPoolPage(ACTIVITY));
        schedule = schedule.after(new PoolPageDrawn(ACTIVITY, List.of()), DRAW);
        assertThat(schedule.isDue(DRAW)).isTrue();
        assertThat(schedule.commands()).contains(new DrawPoolPage(ACTIVITY));
        schedule = schedule.after(DRAWN, DRAW);
        assertThat(schedule.dueAt()).isNull();
        assertThat(schedule.commands()).isEmpty();
    }

    @Test
    @DisplayName("lets reserves move up, also for awards that are vacated while pages are drawn, until that is settled")
    void reserves() {
        PoolSagaState early = started()
                .after(new EntriesClosed(ACTIVITY), CLOSE)
                .after(FROZEN, CLOSE)
                .after(ORDERED, DRAW)
                .vacated(AWARD, DRAW)
                .vacated(AWARD, DRAW)
                .after(DRAWN, DRAW);
        assertThat(early.isDue(DRAW)).isTrue();
        assertThat(early.commands()).contains(new MoveReserveUp(ACTIVITY, AWARD));
        PoolSagaState late = drawn().vacated(AWARD, DRAW.plusSeconds(9));
        assertThat(late.dueAt()).isEqualTo(DRAW.plusSeconds(9));
        assertThat(late.commands()).contains(new MoveReserveUp(ACTIVITY, AWARD));
        PoolSagaState settled = late.after(new ReservesUsedUp(ACTIVITY, AWARD), DRAW.plusSeconds(10));
        assertThat(settled.dueAt()).isNull();
    }

    @Test
    @DisplayName("asks at once when the activity is closed before its entries, and then gives chances back to the end")
    void cancelled() {
        PoolSagaState schedule = started().after(new ActivityClosed(ACTIVITY), BEGIN.plusSeconds(5));
        assertThat(schedule.dueAt()).isEqualTo(BEGIN.plusSeconds(5));
        assertThat(schedule.commands()).contains(new CloseEntries(ACTIVITY));
        schedule = schedule.after(new PoolCancelled(ACTIVITY), BEGIN.plusSeconds(6));
        assertThat(schedule.step()).isEqualTo(PoolSagaStep.RETURN);
        schedule = schedule.after(new EntriesReturned(ACTIVITY, 1_000), BEGIN.plusSeconds(7));
        assertThat(schedule.returnedUpTo()).isEqualTo(1_000);
        assertThat(schedule.isDue(BEGIN.plusSeconds(7))).isTrue();
        assertThat(schedule.over().dueAt()).isNull();
        assertThat(drawn().after(new ActivityClosed(ACTIVITY), DRAW).dueAt()).isNull();
    }
}
