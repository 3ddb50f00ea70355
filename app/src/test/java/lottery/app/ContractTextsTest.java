package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the committed contract as a stranger does, who has nothing else. {@link ContractTest} compares it with the
 * code.
 */
@DisplayName("The texts and examples of the contract")
class ContractTextsTest {

    private static final Path EXAMPLES = Path.of("src/test/resources/openapi/examples");
    private static final JsonMapper JSON = new JsonMapper();

    private static final int SUMMARY_LENGTH_MAX = 60;
    private static final String ROLES = "For ";

    private static JsonNode committed() throws IOException {
        return JSON.readTree(Files.readString(CommittedContract.FILE));
    }

    /** Returns what a reader misses, each with the operation or the tag that lacks it. */
    private static List<String> gaps(JsonNode document) {
        CommittedContract contract = CommittedContract.of(document.toString());
        List<String> gaps = new ArrayList<>();
        Set<String> tags = new TreeSet<>();
        contract.operations().forEach((name, operation) -> {
            texts(operation).forEach(gap -> gaps.add(name + " has " + gap));
            parameters(contract, operation).forEach(gap -> gaps.add(name + " has " + gap));
            examples(contract, operation).forEach(gap -> gaps.add(name + " has " + gap));
            operation.path("tags").forEach(tag -> tags.add(tag.asString()));
        });
        tags.stream()
                .filter(tag -> contract.tags().getOrDefault(tag, "").isBlank())
                .forEach(tag -> gaps.add(tag + " has no description"));
        return gaps;
    }

    /** Returns the fields that have no description, and the descriptions of fields that do not exist. */
    private static List<String> fieldGaps(JsonNode document) {
        List<String> gaps = new ArrayList<>();
        Set<String> unused = FieldDescriptionCustomizer.read().stringPropertyNames().stream()
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> described = new TreeSet<>();
        document.path("components")
                .path("schemas")
                .forEachEntry((schema, content) -> content.path("properties").forEachEntry((field, text) -> {
                    if (text.path("description").asString("").isBlank()) {
                        gaps.add(schema + " has no description of its field " + field);
                    }
                    if (!unused.remove(schema + "." + field)) {
                        described.add(field);
                    }
                }));
        unused.removeAll(described);
        unused.forEach(name -> gaps.add(FieldDescriptionCustomizer.FILE + " describes no field by " + name));
        return gaps;
    }

    private static List<String> texts(JsonNode operation) {
        List<String> gaps = new ArrayList<>();
        String summary = operation.path("summary").asString("");
        if (summary.isBlank() || summary.length() > SUMMARY_LENGTH_MAX || summary.endsWith(".")) {
            gaps.add("no summary of at most %d characters without a full stop".formatted(SUMMARY_LENGTH_MAX));
        }
        String[] paragraphs = operation.path("description").asString("").split("\n\n", -1);
        if (paragraphs.length < 2 || !paragraphs[paragraphs.length - 1].startsWith(ROLES)) {
            gaps.add("no description before its roles");
        }
        boolean isPublic = operation.path("description").asString("").endsWith("For everybody.");
        if (!operation.has("security") || operation.path("security").isEmpty() != isPublic) {
            gaps.add("other callers than its description says");
        }
        return gaps;
    }

    private static List<String> parameters(CommittedContract contract, JsonNode operation) {
        List<String> gaps = new ArrayList<>();
        operation.path("parameters").forEach(parameter -> {
            String name = parameter.path("name").asString();
            if (parameter.path("description").asString("").isBlank()) {
                gaps.add("no description of its parameter " + name);
            }
            if (parameter.has("example")) {
                contract.breaches(parameter.path("schema"), parameter.path("example"))
                        .forEach(breach ->
                                gaps.add("an invalid example of its parameter %s: %s".formatted(name, breach)));
            } else if (parameter.path("in").asString().equals("path")) {
                gaps.add("no example of its parameter " + name);
            }
        });
        return gaps;
    }

    private static List<String> examples(CommittedContract contract, JsonNode operation) {
        List<String> gaps = new ArrayList<>();
        example(contract, "request", operation.path("requestBody"), gaps);
        operation.path("responses").forEachEntry((status, response) -> {
            if (status.startsWith("2")) {
                example(contract, status, response, gaps);
            }
        });
        return gaps;
    }

    private static void example(CommittedContract contract, String what, JsonNode message, List<String> gaps) {
        JsonNode content = message.path("content").path("application/json");
        if (content.isMissingNode()) {
            return;
        }
        if (!content.has("example")) {
            gaps.add("no example of its " + what);
            return;
        }
        contract.breaches(content.path("schema"), content.path("example"))
                .forEach(breach -> gaps.add("an invalid example of its %s: %s".formatted(what, breach)));
    }

    @Test
    @DisplayName("Each field has a description, and each description has a field")
    void fields() throws IOException {
        assertThat(fieldGaps(committed())).isEmpty();
    }

    @Test
    @DisplayName("Each operation has a summary, a description, and valid examples of its request and its answers")
    void complete() throws IOException {
        assertThat(gaps(committed())).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            summary                                                | draw has no summary
            description                                            | draw has no description
            security                                               | draw has other callers
            parameters/0/description                               | draw has no description of its parameter activityId
            parameters/1/example                                   | draw has no example of its parameter userId
            requestBody/content/application~1json/example          | draw has no example of its request
            responses/200/content/application~1json/example        | draw has no example of its 200
            responses/201/content/application~1json/example        | draw has no example of its 201
            responses/201/content/application~1json/example/draws/0/outcome | required property 'outcome' not found
            """)
    @DisplayName("What an operation lacks is found")
    void lacking(String pointer, String says) throws IOException {
        JsonNode document = committed();
        String draw = "/paths/~1api~1v1~1activities~1{activityId}~1accounts~1{userId}~1draws/post/";
        int last = pointer.lastIndexOf('/');
        JsonNode parent = document.at(draw + pointer.substring(0, Math.max(0, last)));
        ObjectNode shortened = (ObjectNode) (last < 0 ? document.at(draw.substring(0, draw.length() - 1)) : parent);
        assertThat(shortened.remove(pointer.substring(last + 1))).isNotNull();
        assertThat(gaps(document)).singleElement().asString().contains(says);
    }

    @Test
    @DisplayName("What an example says too much, and a tag without a description, is found")
    void tooMuch() throws IOException {
        JsonNode document = committed();
        ObjectNode request =
                (ObjectNode) document.at("/paths/~1api~1v1~1activities~1{activityId}~1accounts~1{userId}~1draws"
                        + "/post/requestBody/content/application~1json/example");
        request.put("more", 1);
        ((ObjectNode) document.at("/tags/0")).put("description", " ");
        assertThat(gaps(document))
                .hasSize(2)
                .anySatisfy(gap -> assertThat(gap).contains("draw has an invalid example of its request", "more"))
                .anySatisfy(gap -> assertThat(gap).endsWith("has no description"));
    }

    @Test
    @DisplayName("Each file of an example belongs to an operation")
    void files() throws IOException {
        CommittedContract contract = CommittedContract.read();
        Set<String> expected = new TreeSet<>();
        contract.operations().forEach((name, operation) -> {
            if (hasExample(operation.path("requestBody"))) {
                expected.add(name + ".request.json");
            }
            if (operation.path("responses").valueStream().anyMatch(ContractTextsTest::hasExample)) {
                expected.add(name + ".answer.json");
            }
            if (operation.path("responses").has("200")
                    && hasExample(operation.path("responses").path("202"))) {
                expected.add(name + ".accepted.json");
            }
        });
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
                    .isEqualTo(expected);
        }
    }

    private static boolean hasExample(@Nullable JsonNode message) {
        return message != null
                && message.path("content").path("application/json").has("example");
    }

    @Test
    @DisplayName("The contract as a whole says how callers are known, and what holds for all operations")
    void whole() throws IOException {
        JsonNode document = committed();
        assertThat(document.path("components").path("securitySchemes").propertyNames())
                .containsExactly("bearer");
        assertThat(document.path("info").path("description").asString())
                .contains("bearer token", "problem document", "Idempotency-Key", "cursor", "Lottery-Position");
    }
}
