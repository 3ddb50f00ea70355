package lottery.saga.payment;

import java.time.Duration;
import java.time.Instant;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentId;
import lottery.saga.command.SagaCommands;

/**
 * A payment that is not settled.
 *
 * @param expiresAt until when its provider may be late with the money; the time of the event if the money is there
 * @param dueAt when the next step is asked for
 * @param attempts how often a step was asked for since the money came, or should have come
 * @param lookedFor how often the money was looked for before
 */
record PaymentSagaState(PaymentId paymentId, Instant expiresAt, Instant dueAt, int attempts, int lookedFor) {

    /** The first pause before a provider is asked. Usually its message arrives earlier. */
    private static final Duration LOOK_PAUSE_MIN = Duration.ofSeconds(15);

    private static final Duration LOOK_PAUSE_MAX = Duration.ofMinutes(4);

    static PaymentSagaState of(PaymentOrdered ordered, Instant now) {
        return new PaymentSagaState(ordered.paymentId(), ordered.expiresAt(), now.plus(LOOK_PAUSE_MIN), 0, 0);
    }

    /** Returns the state when money is there: the next step was asked for just now. */
    static PaymentSagaState withMoney(PaymentId paymentId, Instant now) {
        return new PaymentSagaState(paymentId, now, now.plus(SagaCommands.pauseAfter(0)), 1, 0);
    }

    /** Returns the state after the next step was asked for. */
    PaymentSagaState asked(Instant now) {
        if (!now.isBefore(expiresAt)) {
            return new PaymentSagaState(
                    paymentId, expiresAt, now.plus(SagaCommands.pauseAfter(attempts)), attempts + 1, lookedFor);
        }
        Duration pause = LOOK_PAUSE_MIN.multipliedBy(1L << Math.min(lookedFor, 4));
        Instant next = now.plus(pause.compareTo(LOOK_PAUSE_MAX) < 0 ? pause : LOOK_PAUSE_MAX);
        return new PaymentSagaState(
                paymentId, expiresAt, next.isBefore(expiresAt) ? next : expiresAt, 0, lookedFor + 1);
    }
}
