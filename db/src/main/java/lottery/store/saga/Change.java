package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is to happen to one row. It holds only for the version that was read. */
sealed interface Change {

    /** The version of a saga that is not in the table. */
    int NEW = 0;

    Place place();

    int versionRead();

    record Write(
            Place place,
            int versionRead,
            String sagaId,
            String state,
            @Nullable Instant dueAt) implements Change {}

    record End(Place place, int versionRead) implements Change {}
}
