package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The committed REST contract, which says where an exchange breaks it. A request was accepted that the contract
 * forbids, or an answer is not promised. A field that the contract does not name is a breach, too. A request that was
 * refused may be anything.
 */
final class CommittedContract {

    static final Path FILE = Path.of("../docs/openapi.json");

    private static final String API = "/api/";
    private static final String ID = "https://lottery.invalid/contract";
    private static final String COMPONENTS = "#/components/schemas/";
    private static final String DEFINITIONS = ID + "#/$defs/";
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,18}");
    private static final JsonMapper JSON = new JsonMapper();

    /** One request and its answer. */
    record Exchange(
            HttpMethod method,
            String path,
            HttpHeaders sent,
            @Nullable String body,
            Reply reply) {

        boolean isAccepted() {
            return reply.status() < 300;
        }
    }

    /** An operation, and the values of the variables in its path. */
    private record Match(JsonNode operation, Map<String, String> variables) {}

    private record PathTemplate(String text, Pattern pattern, List<String> variables) {

        static PathTemplate of(String text) {
            List<String> variables = Pattern.compile("\\{(\\w+)}")
                    .matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            return new PathTemplate(text, Pattern.compile(text.replaceAll("\\{\\w+}", "([^/]+)")), variables);
        }
    }

    private final JsonNode document;
    private final List<PathTemplate> templates;
    private final SchemaRegistry registry;
    private final Map<JsonNode, Schema> schemas = new ConcurrentHashMap<>();

    private CommittedContract(JsonNode document) {
        this.document = document;
        // Templates with fewer variables come first: a fixed word is not matched by a variable.
        this.templates = document.path("paths").propertyNames().stream()
                .map(PathTemplate::of)
                .sorted(Comparator.comparingInt(template -> template.variables().size()))
                .toList();
        ObjectNode definitions = JSON.createObjectNode();
        definitions.put("$id", ID);
        definitions.set("$defs", document.path("components").path("schemas"));
        SchemaRegistryConfig formatsToo =
                SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
        this.registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemas(Map.of(ID, definitions.toString())).schemaRegistryConfig(formatsToo));
    }

    static CommittedContract read() {
        try {
            return of(Files.readString(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CommittedContract of(String text) {
        JsonNode document = JSON.readTree(text.replace(COMPONENTS, DEFINITIONS));
        closeObjects(document);
        return new CommittedContract(document);
    }

    private static void closeObjects(JsonNode node) {
        if (node instanceof ObjectNode object
                && node.path("properties").isObject()
                && !node.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(CommittedContract::closeObjects);
    }

    /** Returns the breaches; none if the exchange is as promised or no part of the contract. */
    List<String> breaches(Exchange exchange) {
        if (!exchange.path().startsWith(API)) {
            return List.of();
        }
        List<String> breaches = new ArrayList<>();
        match(exchange)
                .ifPresentOrElse(match -> check(exchange, match, breaches), () -> checkUnknown(exchange, breaches));
        return breaches.stream()
                .map(breach -> "%s %s, answered with %d: %s"
                        .formatted(
                                exchange.method(),
                                exchange.path(),
                                exchange.reply().status(),
                                breach))
                .toList();
    }

    /** Returns the name of the operation, if the contract has one for the request. */
    Optional<String> operation(Exchange exchange) {
        return match(exchange)
                .map(match -> match.operation().path("operationId").asString());
    }

    /** Returns the names of all operations but these. */
    List<String> operations(Set<String> others) {
        return operations().keySet().stream()
                .filter(name -> !others.contains(name))
                .toList();
    }

    /** Returns each operation by its name. */
    Map<String, JsonNode> operations() {
        Map<String, JsonNode> operations = new LinkedHashMap<>();
        document.path("paths")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .forEach(operation ->
                        operations.put(operation.path("operationId").asString(), operation));
        return operations;
    }

    /** Returns the descriptions of the tags. */
    Map<String, String> tags() {
        Map<String, String> tags = new LinkedHashMap<>();
        document.path("tags")
                .forEach(tag -> tags.put(
                        tag.path("name").asString(), tag.path("description").asString("")));
        return tags;
    }

    /** Returns why a document is not of a schema of the contract. */
    List<String> breaches(JsonNode schema, JsonNode example) {
        List<String> breaches = new ArrayList<>();
        validate("example", schema, example, breaches);
        return breaches;
    }

    private Optional<Match> match(Exchange exchange) {
        String path = exchange.path().replaceFirst("\\?.*", "");
        for (PathTemplate template : templates) {
            Matcher matcher = template.pattern().matcher(path);
            if (matcher.matches()) {
                JsonNode operation = document.path("paths")
                        .path(template.text())
                        .path(exchange.method().name().toLowerCase(Locale.ROOT));
                Map<String, String> variables = new LinkedHashMap<>();
                for (String variable : template.variables()) {
                    variables.put(variable, matcher.group(variables.size() + 1));
                }
                return operation.isMissingNode() ? Optional.empty() : Optional.of(new Match(operation, variables));
            }
        }
        return Optional.empty();
    }

    /** Requires a problem document for an operation that is not in the contract. */
    private void checkUnknown(Exchange exchange, List<String> breaches) {
        if (exchange.isAccepted()) {
            breaches.add("the contract has no such operation");
        } else {
            ObjectNode problem = JSON.createObjectNode().put("$ref", DEFINITIONS + "Problem");
            checkText("answer", problem, exchange.reply().text(), breaches);
        }
    }

    private void check(Exchange exchange, Match match, List<String> breaches) {
        if (exchange.isAccepted()) {
            checkParameters(exchange, match, breaches);
            checkBody(exchange, match.operation().path("requestBody"), breaches);
        }
        int status = exchange.reply().status();
        JsonNode responses = match.operation().path("responses");
        JsonNode response = responses.path(Integer.toString(status));
        if (response.isMissingNode() && status >= 400) {
            response = responses.path("default");
        }
        if (response.isMissingNode()) {
            breaches.add("the contract has no such status");
        } else {
            checkAnswer(exchange.reply(), response, breaches);
        }
    }

    private void checkParameters(Exchange exchange, Match match, List<String> breaches) {
        Map<String, String> asked = query(exchange.path());
        for (JsonNode parameter : match.operation().path("parameters")) {
            String name = parameter.path("name").asString();
            String value = switch (parameter.path("in").asString()) {
                case "path" -> decoded(match.variables().getOrDefault(name, ""));
                case "query" -> asked.remove(name);
                default -> exchange.sent().getFirst(name);
            };
            if (value != null) {
                checkValue(name, parameter.path("schema"), value, breaches);
            } else if (parameter.path("required").asBoolean(false)) {
                breaches.add("it was accepted without " + name);
            }
        }
        asked.keySet().forEach(name -> breaches.add("the contract has no parameter " + name));
    }

    private static Map<String, String> query(String path) {
        Map<String, String> parameters = new LinkedHashMap<>();
        int begin = path.indexOf('?');
        Stream.of(begin < 0 ? new String[0] : path.substring(begin + 1).split("&", -1))
                .map(pair -> pair.split("=", 2))
                .forEach(pair -> parameters.put(decoded(pair[0]), pair.length == 1 ? "" : decoded(pair[1])));
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, UTF_8);
    }

    private void checkBody(Exchange exchange, JsonNode request, List<String> breaches) {
        String body = exchange.body();
        if (body != null && !body.isEmpty()) {
            MediaType type = Objects.requireNonNullElse(exchange.sent().getContentType(), MediaType.APPLICATION_JSON);
            JsonNode schema = request.path("content")
                    .path(type.getType() + "/" + type.getSubtype())
                    .path("schema");
            if (schema.isMissingNode()) {
                breaches.add("the contract has no body for it");
            } else if (type.getSubtype().endsWith("json")) {
                checkText("request", schema, body, breaches);
            }
        } else if (request.path("required").asBoolean(false)) {
            breaches.add("it was accepted without a body");
        }
    }

    private void checkAnswer(Reply reply, JsonNode response, List<String> breaches) {
        MediaType type = reply.headers().getContentType();
        JsonNode content = response.path("content");
        JsonNode schema = type == null
                ? content.path("")
                : content.path(type.getType() + "/" + type.getSubtype()).path("schema");
        boolean isEmpty = content.isMissingNode() && reply.text().isEmpty();
        if (schema.isMissingNode() && !isEmpty) {
            breaches.add("the contract has no answer of type " + type);
        } else if (type != null
                && type.getSubtype().endsWith("json")
                && !type.getSubtype().contains("ndjson")) {
            checkText("answer", schema, reply.text(), breaches);
        }
        response.path("headers").forEachEntry((name, header) -> {
            String value = reply.headers().getFirst(name);
            if (value != null) {
                checkValue(name, header.path("schema"), value, breaches);
            } else if (header.path("required").asBoolean(false)) {
                breaches.add("it has no " + name);
            }
        });
    }

    private void checkValue(String name, JsonNode schema, String value, List<String> breaches) {
        validate(name, schema, typed(schema.path("type").asString(""), value), breaches);
    }

    /** Converts a value to its type, because a value outside a document does not tell its type. */
    private static JsonNode typed(String type, String value) {
        JsonNodeFactory nodes = JSON.getNodeFactory();
        if (type.equals("integer") && WHOLE_NUMBER.matcher(value).matches()) {
            return nodes.numberNode(Long.parseLong(value));
        }
        if (type.equals("boolean") && (value.equals("true") || value.equals("false"))) {
            return nodes.booleanNode(Boolean.parseBoolean(value));
        }
        return nodes.stringNode(value);
    }

    private void checkText(String what, JsonNode schema, String text, List<String> breaches) {
        try {
            validate(what, schema, JSON.readTree(text), breaches);
        } catch (JacksonException e) {
            breaches.add(what + " is no JSON: " + e.getOriginalMessage());
        }
    }

    private void validate(String what, JsonNode schema, JsonNode node, List<String> breaches) {
        schemas.computeIfAbsent(schema, registry::getSchema)
                .validate(node)
                .forEach(error -> breaches.add(what + " " + error));
    }
}
