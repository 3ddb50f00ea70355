package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga that makes no progress. Either it has been due for a while, for any reason, or it fails whenever it acts, or
 * it acts again and again without effect.
 *
 * @param type the stable name of the type of saga
 * @param association the value of its one association
 * @param since when it should have acted
 * @param dueAt when it is tried next; a time in the past means that it is overdue
 * @param failures how often it failed in a row
 * @param cause why its last attempt failed or had no effect; null: there was no attempt
 */
public record LateSaga(
        String type,
        String association,
        @Nullable Instant since,
        @Nullable Instant dueAt,
        int failures,
        @Nullable String cause) {}
