package lottery.api;

import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.CustomPropertyDefinition;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Generates the JSON schema of an event from its record: fields that are not nullable are required, and no others may
 * be there.
 */
final class Schemas {

    private static final SchemaGenerator GENERATOR = generator();

    private Schemas() {}

    static String of(Class<?> event) {
        return GENERATOR.generateSchema(event).toPrettyString() + "\n";
    }

    private static SchemaGenerator generator() {
        SchemaGeneratorConfigBuilder config = new SchemaGeneratorConfigBuilder(
                        SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(Option.ADDITIONAL_FIXED_TYPES, Option.FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT)
                .with(Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES)
                .with(Option.INLINE_ALL_SCHEMAS);
        config.forTypesInGeneral().withCustomDefinitionProvider(Schemas::singleValue);
        config.forFields()
                .withRequiredCheck(field -> !isNullable(field.getRawMember()))
                .withPropertyNameOverrideResolver(Schemas::storedName)
                .withCustomDefinitionProvider(Schemas::decimalText);
        return new SchemaGenerator(config.build());
    }

    /** Returns the stored name of a field that the program calls otherwise. */
    private static @Nullable String storedName(FieldScope field) {
        JsonProperty stored = field.getRawMember().getAnnotation(JsonProperty.class);
        return stored == null ? null : stored.value();
    }

    /** Returns the schema of an id, which is written as its one value. */
    private static @Nullable CustomDefinition singleValue(ResolvedType type, SchemaGenerationContext context) {
        return valueType(type.getErasedType())
                .map(value -> new CustomDefinition(
                        context.createStandardDefinition(
                                context.getTypeContext().resolve(value), null),
                        CustomDefinition.DefinitionType.INLINE,
                        CustomDefinition.AttributeInclusion.YES))
                .orElse(null);
    }

    private static Optional<Type> valueType(Class<?> type) {
        Stream<Type> fields = Stream.of(type.getDeclaredFields())
                .filter(field -> field.isAnnotationPresent(JsonValue.class))
                .map(Field::getGenericType);
        Stream<Type> methods = Stream.of(type.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(JsonValue.class))
                .map(Method::getGenericReturnType);
        return Stream.concat(fields, methods).findFirst();
    }

    /** Returns the schema of a decimal number, which is written as text so that no reader rounds it. */
    private static @Nullable CustomPropertyDefinition decimalText(FieldScope field, SchemaGenerationContext context) {
        JsonFormat format = field.getRawMember().getAnnotation(JsonFormat.class);
        return format == null || format.shape() != JsonFormat.Shape.STRING
                ? null
                : new CustomPropertyDefinition(context.createStandardDefinition(
                        context.getTypeContext().resolve(String.class), null));
    }

    private static boolean isNullable(Field field) {
        return field.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
