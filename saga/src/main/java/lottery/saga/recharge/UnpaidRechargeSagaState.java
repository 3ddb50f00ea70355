package lottery.saga.recharge;

import java.time.Instant;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.saga.command.SagaCommands;

/**
 * A recharge that is not paid yet.
 *
 * @param dueAt when its close is requested, which is never before the end of the time for payment
 * @param attempts how often the close was requested without effect
 */
record UnpaidRechargeSagaState(RechargeId rechargeId, Instant dueAt, int attempts) {

    static UnpaidRechargeSagaState of(RechargeOrdered ordered) {
        return new UnpaidRechargeSagaState(ordered.rechargeId(), ordered.payBy(), 0);
    }

    /**
     * Returns whether the close is requested now. The store keeps the due time less precisely than {@code dueAt}, and
     * may wake the saga a moment early. After the first request the close is always due, because an operator can
     * request it early.
     */
    boolean isDue(Instant now) {
        return attempts > 0 || !now.isBefore(dueAt);
    }

    UnpaidRechargeSagaState asked(Instant now) {
        return new UnpaidRechargeSagaState(rechargeId, now.plus(SagaCommands.pauseAfter(attempts)), attempts + 1);
    }
}
