package lottery.store.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga that has to be looked at again by a certain time, if nothing happens until then. It has one method with
 * {@link WhenDue}, which is called some time after that.
 */
public interface DueSaga {

    /** A function of the saga's fields, asked for after each change of them; null: never. */
    @Nullable
    Instant dueAt();
}
