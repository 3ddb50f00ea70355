package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga that must act by a certain time unless something happens before. It has one method with
 * {@link SagaDueHandler}, which is called some time after that.
 */
public interface SagaWithDueTime {

    /**
     * Returns when the saga is due; null: never. It is called after each change and depends only on the saga's fields.
     */
    @Nullable
    Instant dueAt();

    /**
     * Returns how often in a row it has acted for something that has not happened. After some times operators see it
     * among the late ones.
     */
    default int attempts() {
        return 0;
    }
}
