package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row to insert, or to update if it exists.
 *
 * @param isStuck whether the saga has acted several times without effect
 */
record SagaRowToUpsert(
        SagaKey sagaKey,
        int versionRead,
        String sagaId,
        String state,
        @Nullable Instant dueAt,
        boolean isStuck) implements SagaRowChange {}
