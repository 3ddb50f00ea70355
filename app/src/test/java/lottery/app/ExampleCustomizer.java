package lottery.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;

/**
 * Adds an example request and an example answer to each operation of the REST contract. The file of a request is named
 * after its operation, with the ending {@code .request.json}. The file of an answer has the ending
 * {@code .answer.json}.
 */
final class ExampleCustomizer implements OpenApiCustomizer {

    private static final String FOLDER = "/openapi/examples/";

    @Override
    public void customise(OpenAPI api) {
        api.getPaths().values().stream()
                .flatMap(item -> item.readOperations().stream())
                .forEach(ExampleCustomizer::show);
    }

    private static void show(Operation operation) {
        String name = operation.getOperationId();
        if (operation.getRequestBody() != null) {
            show(operation.getRequestBody().getContent(), name + ".request.json");
        }
        // An operation that may do its work later has another answer in that case.
        boolean isAtOnce = operation.getResponses().containsKey("200");
        operation.getResponses().forEach((status, response) -> {
            if (status.startsWith("2")) {
                boolean isLater = isAtOnce && status.equals("202");
                show(response.getContent(), name + (isLater ? ".accepted.json" : ".answer.json"));
            }
        });
    }

    private static void show(@Nullable Content content, String file) {
        MediaType json =
                content == null ? null : content.get(org.springframework.http.MediaType.APPLICATION_JSON_VALUE);
        JsonNode example = json == null ? null : read(file);
        if (json != null && example != null) {
            json.setExample(example);
        }
    }

    private static @Nullable JsonNode read(String file) {
        try (InputStream text = ExampleCustomizer.class.getResourceAsStream(FOLDER + file)) {
            return text == null ? null : Json31.mapper().readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
