package lottery.journey.recharge;

import java.time.Instant;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.journey.command.SagaCommands;

/**
 * A recharge that nobody has paid for yet.
 *
 * @param dueAt when its close is to be asked for: never before it had to be paid
 * @param attempts how often that was asked for in vain
 */
record PendingPayment(RechargeId rechargeId, Instant dueAt, int attempts) {

    static PendingPayment of(RechargeOrdered ordered) {
        return new PendingPayment(ordered.rechargeId(), ordered.payBy(), 0);
    }

    /** The row in the store tells a time less exactly than this does, and may be due a moment early. */
    boolean isDue(Instant now) {
        return !now.isBefore(dueAt);
    }

    PendingPayment asked(Instant now) {
        return new PendingPayment(rechargeId, now.plus(SagaCommands.pauseAfter(attempts)), attempts + 1);
    }
}
