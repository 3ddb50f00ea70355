package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** As with the REST contract, a change is a decision, made with {@code -Dapprove=true}. */
@DisplayName("The AsyncAPI document")
class AsyncApiTest {

    private static final Path DOCUMENT = Path.of("../docs/asyncapi.json");

    private final JsonNode document = JsonMapper.shared().readTree(AsyncApi.document());

    @Test
    @DisplayName("The document is the approved one.")
    void approved() throws IOException {
        if (Boolean.getBoolean("approve")) {
            Files.writeString(DOCUMENT, AsyncApi.document());
        }
        assertThat(AsyncApi.document()).isEqualTo(Files.readString(DOCUMENT));
    }

    @Test
    @DisplayName("The document refers to nothing that is not in it.")
    void references() {
        List<String> references = document.findValuesAsString("$ref");
        assertThat(references).isNotEmpty().allSatisfy(reference -> {
            assertThat(reference).startsWith("#/");
            assertThat(document.at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse();
        });
    }
}
