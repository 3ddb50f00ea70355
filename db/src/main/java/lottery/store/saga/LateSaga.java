package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga that is not where it should be: it has been due for a while, for whatever reason, or it fails whenever it is.
 *
 * @param type the stable name of the kind of saga
 * @param association the value of its one association
 * @param since when it should have acted
 * @param dueAt when it is looked at next; in the past: it should have been
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
