package lottery.app;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Generates the schema of a record from its components, and fails if two types have the same schema name.
 *
 * <p>A component is required unless it is {@code @Nullable}. The compiler checks that annotation, so the code needs no
 * second one. A schema name must stand for one type. Otherwise the generator of the contract keeps only the last schema
 * of that name, without a warning, and clients get a wrong schema for the other type.
 */
@SuppressWarnings("rawtypes") // The library's own types.
final class RecordSchemaConverter implements ModelConverter {

    private static final String DECIMAL = "-?[0-9]+(\\.[0-9]+)?";
    private static final String WHOLE = "-?[0-9]+";

    private final Map<String, JavaType> typesByName = new ConcurrentHashMap<>();

    @Override
    public @Nullable Schema resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> converters) {
        if (!converters.hasNext()) {
            return null;
        }
        Schema<?> resolved = converters.next().resolve(type, context, converters);
        JavaType javaType = Json.mapper().constructType(type.getType());
        String name = resolved == null ? null : nameOf(resolved);
        if (name == null || !(javaType.getRawClass().isRecord() || javaType.isEnumType())) {
            return resolved;
        }
        Schema<?> schema = context.getDefinedModels().get(name);
        if (schema != null) {
            claim(name, javaType);
            describe(schema, javaType.getRawClass());
        }
        return resolved;
    }

    private static @Nullable String nameOf(Schema<?> schema) {
        String reference = schema.get$ref();
        return reference == null ? schema.getName() : reference.substring(reference.lastIndexOf('/') + 1);
    }

    private void claim(String name, JavaType type) {
        JavaType other = typesByName.putIfAbsent(name, type);
        if (other != null && !other.equals(type)) {
            throw new IllegalStateException("Two types claim the schema name %s, and one of them needs another: %s, %s"
                    .formatted(name, other.toCanonical(), type.toCanonical()));
        }
    }

    private static void describe(Schema<?> schema, Class<?> type) {
        Map<String, Schema> properties = schema.getProperties();
        if (!type.isRecord() || properties == null) {
            return;
        }
        schema.setRequired(Stream.of(type.getRecordComponents())
                .filter(component -> !component.getAnnotatedType().isAnnotationPresent(Nullable.class))
                .map(RecordComponent::getName)
                .filter(properties::containsKey)
                .sorted()
                .toList());
        for (RecordComponent component : type.getRecordComponents()) {
            properties.computeIfPresent(component.getName(), (name, property) -> described(property, component));
        }
    }

    private static Schema<?> described(Schema<?> property, RecordComponent component) {
        if (isWrittenAsText(component)) {
            boolean isWhole = component.getType() == long.class || component.getType() == Long.class;
            return new StringSchema().pattern(isWhole ? WHOLE : DECIMAL);
        }
        if (has(component, NotBlank.class)) {
            property.setMinLength(Math.max(1, Objects.requireNonNullElse(property.getMinLength(), 1)));
        }
        if (has(component, NotEmpty.class)) {
            property.setMinItems(Math.max(1, Objects.requireNonNullElse(property.getMinItems(), 1)));
        }
        return property;
    }

    /** Returns whether the number is sent as text in both directions, so that no floating-point type rounds it. */
    private static boolean isWrittenAsText(RecordComponent component) {
        JsonFormat format = component.getAccessor().getAnnotation(JsonFormat.class);
        return format != null
                && format.shape() == JsonFormat.Shape.STRING
                && (component.getType().isPrimitive() || Number.class.isAssignableFrom(component.getType()));
    }

    private static boolean has(RecordComponent component, Class<? extends Annotation> annotation) {
        return component.getAccessor().isAnnotationPresent(annotation);
    }
}
