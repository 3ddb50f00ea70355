package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga that has to act at a certain time. An event may change this time before. The saga has one method with
 * {@link SagaDueHandler}, which is called soon after the due time.
 */
public interface SagaWithDueTime {

    /**
     * Returns when the saga is due; null: never. It is called after each change and depends only on the saga's fields.
     */
    @Nullable
    Instant dueAt();

    /**
     * Returns how often in a row the saga has acted without the expected result. After several such times, operators
     * see the saga among the late sagas.
     */
    int attempts();
}
