package lottery.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contract that is made of the endpoints")
class OpenApiConfigurationTest {

    private static OpenAPI api(String operation) {
        Schema<?> request = new ObjectSchema()
                .addProperty("note", new StringSchema().pattern("[a-z]*").minLength(0));
        Schema<?> answer = new ObjectSchema().addProperty("note", new StringSchema());
        Content body = new Content()
                .addMediaType(
                        "application/json",
                        new MediaType().schema(new Schema<>().$ref("#/components/schemas/Request")));
        return new OpenAPI()
                .components(new Components().addSchemas("Request", request).addSchemas("Answer", answer))
                .paths(new Paths()
                        .addPathItem(
                                "/api/v1/notes",
                                new PathItem()
                                        .post(new Operation()
                                                .operationId(operation)
                                                .requestBody(new RequestBody().content(body))
                                                .responses(new ApiResponses()))));
    }

    @Test
    @DisplayName("The contract cannot have two operations of one name")
    void twoOperations() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new OpenApiConfiguration().answers().customise(api("note_1")))
                .withMessageContaining("note_1");
    }

    @Test
    @DisplayName("A request forbids unknown fields, and an answer leaves room for more")
    void requests() {
        assertThat(completed("Request").getAdditionalProperties()).isEqualTo(false);
        assertThat(completed("Answer").getAdditionalProperties()).isNull();
    }

    @Test
    @DisplayName("A pattern is one of the whole text, and a minimum of 0 is left out")
    void patterns() {
        assertThat(completed("Request").getProperties().get("note"))
                .isEqualTo(new StringSchema().pattern("^(?:[a-z]*)$"));
    }

    private static Schema<?> completed(String schema) {
        OpenAPI api = api("note");
        new OpenApiConfiguration().answers().customise(api);
        return requireNonNull(api.getComponents().getSchemas().get(schema));
    }
}
