package lottery.saga.activity;

import java.time.Instant;
import lottery.saga.command.SagaCommands;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the accounts of a closed activity, page by page, which cancels their open orders. Walks are repeated
 * until one of them finds no open order.
 *
 * @param dueAt when the next page is due
 * @param after the last user of the page before; empty at the beginning of a walk
 * @param found whether this walk has found an open order
 * @param upTo the position that the read model has to reach before a walk can be the last one; null: not known yet
 * @param walks how many walks were made
 */
record OpenOrderSweep(
        Instant dueAt,
        String after,
        boolean found,
        @Nullable Long upTo,
        int walks) {

    static OpenOrderSweep from(Instant due) {
        return new OpenOrderSweep(due, "", false, null, 0);
    }

    /** Returns the next page of the same walk. */
    OpenOrderSweep goOn(String lastUser, Instant now) {
        return new OpenOrderSweep(now, lastUser, true, upTo, walks);
    }

    /** Returns the next walk. */
    OpenOrderSweep again(long known, Instant now) {
        return new OpenOrderSweep(now.plus(SagaCommands.pauseAfter(walks)), "", false, known, walks + 1);
    }
}
