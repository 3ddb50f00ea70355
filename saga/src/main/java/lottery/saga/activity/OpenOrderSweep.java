package lottery.saga.activity;

import java.time.Instant;
import lottery.saga.command.SagaCommands;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the accounts of a closed activity, page by page, which cancels their open orders. Walks are repeated
 * until one of them finds no open order.
 *
 * @param dueAt when the next page is due
 * @param upTo the position that the read model has to pass before the walk begins; null: not known yet
 * @param after the last user of the page before; empty at the beginning of the walk
 * @param found whether this walk has found an open order
 * @param walks how many walks have found one before
 */
record OpenOrderSweep(Instant dueAt, @Nullable Long upTo, String after, boolean found, int walks) {

    static OpenOrderSweep from(Instant due) {
        return new OpenOrderSweep(due, null, "", false, 0);
    }

    boolean isAtBegin() {
        return after.isEmpty();
    }

    /** Returns the same walk, which has to wait for the read model. */
    OpenOrderSweep waiting(long position, Instant now) {
        return new OpenOrderSweep(now.plus(SagaCommands.pauseAfter(0)), position, after, found, walks);
    }

    /** Returns the next page of the same walk. */
    OpenOrderSweep goOn(String lastUser, Instant now) {
        return new OpenOrderSweep(now, upTo, lastUser, true, walks);
    }

    /** Returns the next walk. */
    OpenOrderSweep again(long position, Instant now) {
        return new OpenOrderSweep(now.plus(SagaCommands.pauseAfter(walks)), position, "", false, walks + 1);
    }
}
