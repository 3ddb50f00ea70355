package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Programs elsewhere rely on these schemas. A change is a decision, made by running this test with
 * {@code -Dapprove=true} and reading the difference. A promised schema can only grow that way (see
 * {@link PromisedSchema}). A change that breaks it fails the test, and needs a type with the next version.
 */
@DisplayName("The content of a message")
class MessageContractTest {

    private static final Path SCHEMAS = Path.of("src/main/resources/lottery/messaging/schemas");
    private static final Path PROMISED = Path.of("src/test/resources/promised");
    private static final boolean APPROVE = Boolean.getBoolean("approve");

    static List<MessageContract> contracts() {
        return MessageContract.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contracts")
    @DisplayName("Each type has an approved schema, and its sample is valid.")
    void keepsToItsSchema(MessageContract contract) throws IOException {
        Path schema = SCHEMAS.resolve(contract.type() + ".json");
        String generated = contract.schema();
        if (APPROVE) {
            Files.createDirectories(SCHEMAS);
            Files.writeString(schema, generated);
        }
        assertThat(generated).isEqualTo(Files.readString(schema));
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(generated)
                        .validate(contract.sampleJson(), InputFormat.JSON))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contracts")
    @DisplayName("A schema keeps its promise: readers of both revisions can read the messages of both.")
    void keepsItsPromise(MessageContract contract) throws IOException {
        Path promised = PROMISED.resolve(contract.type() + ".json");
        String generated = contract.schema();
        if (APPROVE && !Files.exists(promised)) {
            Files.createDirectories(PROMISED);
            Files.writeString(promised, generated);
        }
        assertThat(PromisedSchema.brokenBy(
                        JsonMapper.shared().readTree(generated),
                        JsonMapper.shared().readTree(Files.readString(promised))))
                .isEmpty();
        if (APPROVE) {
            Files.writeString(promised, generated);
        }
    }

    @Test
    @DisplayName("Each promised type still has a schema, and there are no others.")
    void nothingForgotten() throws IOException {
        List<String> types =
                contracts().stream().map(contract -> contract.type() + ".json").toList();
        assertThat(filesIn(PROMISED)).containsExactlyInAnyOrderElementsOf(types);
        assertThat(filesIn(SCHEMAS)).containsExactlyInAnyOrderElementsOf(types);
    }

    private static List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
