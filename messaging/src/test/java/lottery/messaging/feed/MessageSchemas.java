package lottery.messaging.feed;

import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
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
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the JSON schema of a message's content from its record: a component that is not nullable is required. Unlike a
 * stored event, a message may have fields that its reader does not know.
 */
final class MessageSchemas {

    private static final SchemaGenerator GENERATOR = generator();

    private MessageSchemas() {}

    static String of(Class<?> content) {
        return GENERATOR.generateSchema(content).toPrettyString() + "\n";
    }

    private static SchemaGenerator generator() {
        SchemaGeneratorConfigBuilder config = new SchemaGeneratorConfigBuilder(
                        SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(Option.ADDITIONAL_FIXED_TYPES)
                .with(Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES)
                .with(Option.INLINE_ALL_SCHEMAS);
        config.forTypesInGeneral().withCustomDefinitionProvider(MessageSchemas::singleValue);
        config.forFields()
                .withIgnoreCheck(field -> field.getRawMember().isAnnotationPresent(JsonIgnore.class))
                .withRequiredCheck(field -> !isNullable(field.getRawMember()))
                .withCustomDefinitionProvider(MessageSchemas::decimalText);
        return new SchemaGenerator(config.build());
    }

    /** Writes an id as its one value. */
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
                .filter(MessageSchemas::isValue)
                .map(Field::getGenericType);
        Stream<Type> methods = Stream.of(type.getDeclaredMethods())
                .filter(MessageSchemas::isValue)
                .map(Method::getGenericReturnType);
        return Stream.concat(fields, methods).findFirst();
    }

    private static boolean isValue(AnnotatedElement member) {
        return member.isAnnotationPresent(JsonValue.class);
    }

    /** Writes a decimal number as text, so that no reader rounds it. */
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
