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
record Unpaid(RechargeId rechargeId, Instant dueAt, int attempts) {

    static Unpaid of(RechargeOrdered ordered) {
        return new Unpaid(ordered.rechargeId(), ordered.payBy(), 0);
    }

    /** The row in the store tells a time less exactly than this does, and may be due a moment early. */
    boolean isDue(Instant now) {
        return !now.isBefore(dueAt);
    }

    Unpaid asked(Instant now) {
        return new Unpaid(rechargeId, now.plus(SagaCommands.pauseAfter(attempts)), attempts + 1);
    }
}
