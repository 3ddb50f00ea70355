package lottery.store.saga;

import java.time.Instant;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.SimpleSerializedObject;
import org.jspecify.annotations.Nullable;

/** Converts the fields of a saga to a document and back. The type of saga determines the class, never a row. */
final class SagaDocumentCodec {

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

    static @Nullable Instant dueAt(Object saga) {
        return saga instanceof DueSaga due ? due.dueAt() : null;
    }
}
