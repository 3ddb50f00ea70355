package lottery.app;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;

/**
 * Describes each field in the REST contract, by a file of descriptions. A field has the same meaning in all schemas,
 * unless the file names a schema. Generated clients get these texts as their documentation.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // The library's own types.
final class FieldDescriptionCustomizer implements OpenApiCustomizer {

    static final String FILE = "/openapi/fields.properties";

    private final Properties texts = read();

    static Properties read() {
        Properties texts = new Properties();
        try (Reader file = new InputStreamReader(
                Objects.requireNonNull(FieldDescriptionCustomizer.class.getResourceAsStream(FILE)),
                StandardCharsets.UTF_8)) {
            texts.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(FILE, e);
        }
        return texts;
    }

    @Override
    public void customise(OpenAPI api) {
        api.getComponents().getSchemas().forEach(this::describeFields);
    }

    private void describeFields(String schemaName, @Nullable Schema schema) {
        Map<String, Schema> fields = schema == null ? null : schema.getProperties();
        if (fields != null) {
            fields.forEach((name, field) -> {
                field.setDescription(texts.getProperty(schemaName + "." + name, texts.getProperty(name)));
                describeFields(schemaName, field.getItems());
            });
        }
    }
}
