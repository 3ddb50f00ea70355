package lottery.saga.pool;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.DrawPlan;
import lottery.api.award.AwardRecordId;
import lottery.api.pool.PoolCommand;
import lottery.api.pool.PoolCommand.CloseEntries;
import lottery.api.pool.PoolCommand.DrawPoolPage;
import lottery.api.pool.PoolCommand.FreezePool;
import lottery.api.pool.PoolCommand.MoveReserveUp;
import lottery.api.pool.PoolCommand.OrderPool;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolEvent.EntriesClosed;
import lottery.api.pool.PoolEvent.EntriesReturned;
import lottery.api.pool.PoolEvent.PoolCancelled;
import lottery.api.pool.PoolEvent.PoolDrawn;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolEvent.ReserveMovedUp;
import lottery.api.pool.PoolEvent.ReservesUsedUp;
import lottery.saga.command.SagaCommands;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of the saga of a pool: what the saga does next, and when. Each step ends with an event, which begins the
 * next step. If a command had no effect, the saga sends it again, after longer and longer pauses.
 *
 * @param plan the times of the pool, such as that of its draw. It is null if the activity draws at once; then the saga
 *     never has anything to do. It is also null in another log than that of the pool
 * @param dueAt when the saga has to act; null if it only waits for an event
 * @param vacated the awards that were forfeited or voided, and for which a reserve still has to be found
 * @param returnedUpTo for a cancelled pool: the number of the last entry whose chance is known to be given back
 * @param attempts how often the saga has sent the due commands without effect
 */
record PoolSagaState(
        ActivityId activityId,
        @Nullable DrawPlan plan,
        PoolSagaStep step,
        @Nullable Instant dueAt,
        List<AwardRecordId> vacated,
        int returnedUpTo,
        int attempts) {

    /** The most commands at once from another log. Each takes a commit. */
    private static final int ELSEWHERE_AT_ONCE_MAX = 50;

    enum PoolSagaStep {
        /** The activity has not begun, or the pool has come to its end. */
        NOTHING,
        CLOSE,
        FREEZE,
        ORDER,
        DRAW,
        /** All places are drawn. Awards may still be vacated, and then reserves move up. */
        DRAWN,
        RETURN
    }

    PoolSagaState {
        vacated = List.copyOf(vacated);
    }

    static PoolSagaState of(ActivityId activityId, ActivityDefinition definition) {
        return new PoolSagaState(activityId, definition.draw(), PoolSagaStep.NOTHING, null, List.of(), 0, 0);
    }

    /** Returns the first state of a saga in another log than that of the pool. It has no plan. */
    static PoolSagaState elsewhere(ActivityId activityId) {
        return new PoolSagaState(activityId, null, PoolSagaStep.DRAWN, null, List.of(), 0, 0);
    }

    boolean isElsewhere() {
        return plan == null && step == PoolSagaStep.DRAWN;
    }

    /** Returns the schedule if only these awards still need a reserve. */
    PoolSagaState leaving(List<AwardRecordId> rest) {
        return new PoolSagaState(
                activityId,
                plan,
                step,
                rest.isEmpty() ? null : dueAt,
                rest,
                returnedUpTo,
                rest.size() < vacated.size() ? 0 : attempts);
    }

    PoolSagaState after(ActivityEvent event, Instant now) {
        return switch (event) {
            case ActivityEdited(ActivityId _, ActivityDefinition definition) ->
                new PoolSagaState(activityId, definition.draw(), step, dueAt, vacated, returnedUpTo, 0);
            case ActivityStarted _
            when plan != null && step == PoolSagaStep.NOTHING -> in(PoolSagaStep.CLOSE, plan.entriesCloseAt());
            // The close of the activity may be the end of the pool, too. The pool decides that by the time of the
            // close.
            case ActivityClosed _ when step == PoolSagaStep.CLOSE -> in(PoolSagaStep.CLOSE, now);
            case ActivityEvent _ -> this;
        };
    }

    /** @param now the time at which the event is handled */
    PoolSagaState after(PoolEvent event, Instant now) {
        return switch (event) {
            case EntriesClosed _ -> in(PoolSagaStep.FREEZE, now);
            case PoolFrozen frozen -> in(PoolSagaStep.ORDER, frozen.drawAt());
            case PoolOrdered _, PoolPageDrawn _ -> in(PoolSagaStep.DRAW, now);
            case PoolDrawn _ -> in(PoolSagaStep.DRAWN, vacated.isEmpty() ? null : now);
            case ReserveMovedUp moved -> settled(moved.vacated(), now);
            case ReservesUsedUp none -> settled(none.vacated(), now);
            case PoolCancelled _ -> in(PoolSagaStep.RETURN, now);
            case EntriesReturned returned ->
                new PoolSagaState(activityId, plan, PoolSagaStep.RETURN, now, vacated, returned.upTo(), 0);
        };
    }

    /** Returns the schedule after an award was vacated. */
    PoolSagaState vacated(AwardRecordId award, Instant now) {
        if ((plan == null && !isElsewhere()) || vacated.contains(award)) {
            return this;
        }
        List<AwardRecordId> more =
                Stream.concat(vacated.stream(), Stream.of(award)).toList();
        return new PoolSagaState(
                activityId, plan, step, step == PoolSagaStep.DRAWN ? now : dueAt, more, returnedUpTo, attempts);
    }

    private PoolSagaState settled(AwardRecordId award, Instant now) {
        List<AwardRecordId> rest =
                vacated.stream().filter(other -> !other.equals(award)).toList();
        return new PoolSagaState(activityId, plan, step, rest.isEmpty() ? null : now, rest, returnedUpTo, 0);
    }

    private PoolSagaState in(PoolSagaStep next, @Nullable Instant due) {
        return new PoolSagaState(activityId, plan, next, due, vacated, returnedUpTo, 0);
    }

    boolean isDue(Instant now) {
        return dueAt != null && !now.isBefore(dueAt);
    }

    /**
     * Returns the commands that are due. There are none if chances have to be given back, because {@link EntryReturns}
     * sends the commands for this.
     */
    List<PoolCommand> commands() {
        return switch (step) {
            case CLOSE -> List.of(new CloseEntries(activityId));
            case FREEZE -> List.of(new FreezePool(activityId));
            case ORDER -> List.of(new OrderPool(activityId));
            case DRAW -> List.of(new DrawPoolPage(activityId));
            // The pool's answer to a command begins the next one, but not in another log.
            case DRAWN ->
                vacated.stream()
                        .limit(isElsewhere() ? ELSEWHERE_AT_ONCE_MAX : 1)
                        .<PoolCommand>map(award -> new MoveReserveUp(activityId, award))
                        .toList();
            case NOTHING, RETURN -> List.of();
        };
    }

    PoolSagaState asked(Instant now) {
        return new PoolSagaState(
                activityId,
                plan,
                step,
                now.plus(SagaCommands.pauseAfter(attempts)),
                vacated,
                returnedUpTo,
                attempts + 1);
    }

    /** Returns the schedule when all chances were given back. */
    PoolSagaState over() {
        return in(PoolSagaStep.NOTHING, null);
    }
}
