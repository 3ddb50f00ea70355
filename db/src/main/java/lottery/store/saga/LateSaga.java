package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga that does not go on: it has been due for a while, for whatever reason, it fails whenever it acts, or it acts
 * again and again without effect.
 *
 * @param type the stable name of the type of saga
 * @param association the value of its one association
 * @param since when it should have acted
 * @param dueAt when it is tried next; a time in the past means that it is overdue
 * @param failures how often it failed in a row
 * @param cause why it did not act the last time; null: it has not tried
 */
public record LateSaga(
        String type,
        String association,
        @Nullable Instant since,
        @Nullable Instant dueAt,
        int failures,
        @Nullable String cause) {}
