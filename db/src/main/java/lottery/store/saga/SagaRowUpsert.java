package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row that is to be as this says, whether or not there is one yet. */
record SagaRowUpsert(
        SagaKey place,
        int versionRead,
        String sagaId,
        String state,
        @Nullable Instant dueAt) implements SagaRowChange {}
