package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga that is not where it should be: it has been due for a while, or it fails whenever it is.
 *
 * @param type the stable name of the kind of saga
 * @param association the value of its one association
 * @param dueAt when it is looked at next; in the past: it should have been
 * @param failures how often it failed in a row
 * @param cause why it failed the last time; null: it did not
 */
public record LateSaga(
        String type,
        String association,
        @Nullable Instant dueAt,
        int failures,
        @Nullable String cause) {}
