package lottery.store.saga;

import java.time.Instant;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.SimpleSerializedObject;
import org.jspecify.annotations.Nullable;

/**
 * Converts the fields of a saga to a JSON document and back. The class follows from the type of saga and never from the
 * content of a row.
 */
final class SagaDocumentCodec {

    /**
     * From this number of attempts on, a saga counts as stuck. With the usual pauses these attempts take 15 seconds,
     * which is longer than a commit under load.
     */
    private static final int ATTEMPTS_UNTIL_STUCK = 4;

    private final Serializer serializer;

    SagaDocumentCodec(Serializer serializer) {
        this.serializer = serializer;
    }

    String write(Object saga) {
        return serializer.serialize(saga, String.class).getData();
    }

    <T> T read(String state, Class<T> type) {
        return type.cast(
                serializer.deserialize(new SimpleSerializedObject<>(state, String.class, type.getName(), null)));
    }

    /** Returns whether the saga has acted several times without effect. */
    static boolean isStuck(Object saga) {
        return saga instanceof SagaWithDueTime due && due.attempts() >= ATTEMPTS_UNTIL_STUCK;
    }

    static @Nullable Instant dueAt(Object saga) {
        return saga instanceof SagaWithDueTime due ? due.dueAt() : null;
    }
}
