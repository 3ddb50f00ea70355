package lottery.store;

import org.axonframework.messaging.MetaData;
import org.axonframework.serialization.SerializationException;
import org.axonframework.serialization.SerializedType;
import org.axonframework.serialization.SimpleSerializedType;
import org.axonframework.serialization.UnknownSerializedType;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.jspecify.annotations.Nullable;

/** Serializes events as JSON under the stable names of {@link EventTypes}. A class without a name cannot be stored. */
public final class NamedEventSerializer extends Jackson3Serializer {

    private static final String META_DATA = MetaData.class.getName();

    private final EventTypes types;

    public NamedEventSerializer(EventTypes types) {
        super(builder().lenientDeserialization().jsonMapperBuilderCustomizer(PlainJson::fields));
        this.types = types;
    }

    @Override
    @SuppressWarnings("rawtypes") // Axon's signature.
    public SerializedType typeForClass(@Nullable Class type) {
        if (type == null || type == Void.class || type == MetaData.class) {
            return super.typeForClass(type);
        }
        return types.typeOf(type)
                .map(known -> new SimpleSerializedType(known.name(), Integer.toString(known.revision())))
                .orElseThrow(() -> new SerializationException(type.getName() + " has no stable name as an event"));
    }

    @Override
    public Class<?> classForType(SerializedType type) {
        if (META_DATA.equals(type.getName()) || SerializedType.emptyType().equals(type)) {
            return super.classForType(type);
        }
        // An unknown name or revision comes from a newer version of the application. The name in a row is only looked
        // up
        // among the known names, and never used to load a class.
        return types.classOf(type.getName(), type.getRevision()).orElse(UnknownSerializedType.class);
    }
}
