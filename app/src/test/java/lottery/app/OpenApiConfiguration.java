package lottery.app;

import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.BooleanSchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.tags.Tag;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.api.Refusal;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.security.RolesInContract;
import lottery.view.QuerySideConfiguration;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Generates the REST contract from the endpoints, and adds information that the endpoints do not contain. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {

    /** The rules that all operations share. */
    private static final String ABOUT = """
            Users earn chances, spend them on draws, and receive the awards that they win.

            **Callers.** Send a bearer token (JWT) from the issuer that this lottery trusts, for the audience \
            `lottery`. The claim `lottery_roles` of the token lists the caller's roles, and each operation names the \
            roles that may call it. The subject of a player's token is the user id, and a player can only access \
            data of this user. If the lottery has accounts of its own, a caller can also log in with `POST \
            /api/v1/session` and send the session cookie; changes then need the header `X-XSRF-TOKEN`. Operations \
            for everybody need neither. A trial lottery, which was started with embedded servers, uses HTTP Basic \
            instead of tokens; each password equals the user name.

            **Refusals.** If an operation is refused, the response is a problem document (RFC 9457). Its `code` is \
            stable, and the URL in `type` explains it. If `retryable` is true, the same request may succeed later; \
            wait for the seconds in `Retry-After` if this header is present. `findings` point to the invalid fields. \
            A request with a field that is not in this contract is refused.

            **Repetition.** A repeated request takes effect once. Draws and orders are recognised by the header \
            `Idempotency-Key`, recharges and bookings by their business number, and definitions by their id and \
            content. An operation that creates something returns 201 the first time. A repetition returns 200 with \
            the same body and the header `Idempotency-Replayed: true`. A key that belongs to another request is \
            refused with KEY_REUSED. Without a key, each request is a new one.

            **Pages.** A list has at most `limit` items. The default is 20, and the maximum is 100. If there are \
            more items, the response has `next`; send it as `cursor` to read the next page. Do not interpret or \
            change a cursor.

            **Reading your own writes.** Reads are a few milliseconds behind commands. The response to a command has \
            the header `Lottery-Position`, unless its status is 202. A read with this number in `after` waits, at \
            most two seconds, until it shows the result of the command; otherwise it is refused with NOT_READY.

            **Ports.** Operations below `/api/v1/ops` are served on the management port, and all others on the port \
            for players.

            **Traces.** Each response has the header `Trace-Id`. It is the trace id of the caller's `traceparent`, \
            or a new one.""";

    /** The media types of streamed answers. A stream is not one document, so it has no schema. */
    private static final Set<String> STREAMS = Set.of(
            org.springframework.http.MediaType.TEXT_EVENT_STREAM_VALUE,
            org.springframework.http.MediaType.APPLICATION_NDJSON_VALUE);

    /** The form of the name that the library gives to a second method with the same name. */
    private static final Pattern NUMBERED = Pattern.compile(".*_[0-9]+");

    /**
     * The status of a request that is accepted now and handled later. No event is written yet, so the answer has no log
     * position.
     */
    private static final String ACCEPTED = "202";

    private static final String POSITION = "Lottery-Position";

    /** The meaning of each header that responses have in common. An operation may promise one by its name alone. */
    private static final Map<String, Supplier<Header>> HEADERS = Map.of(
            POSITION, OpenApiConfiguration::position, IdempotentReplyBuilder.REPLAYED, OpenApiConfiguration::replayed);

    private static final int LIMIT_MAX = 100;

    static {
        // Each enum becomes one schema, as in the code, instead of one per field.
        ModelResolver.enumsAsRef = true;
        SpringDocUtils.getConfig().replaceWithSchema(SseEmitter.class, new StringSchema());
    }

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Lottery")
                        .version("v1")
                        .description(ABOUT)
                        .license(new License().name("Apache License 2.0").identifier("Apache-2.0")));
    }

    @Bean
    RecordSchemaConverter recordSchemas() {
        return new RecordSchemaConverter();
    }

    @Bean
    ParameterDescriptionCustomizer parameters() {
        return new ParameterDescriptionCustomizer();
    }

    @Bean
    ExampleCustomizer examples() {
        return new ExampleCustomizer();
    }

    @Bean
    RolesInContract roles() {
        return new RolesInContract();
    }

    @Bean
    OpenApiCustomizer answers() {
        return api -> {
            api.getPaths().values().forEach(item -> item.readOperations().forEach(OpenApiConfiguration::complete));
            // The library collects the tags in no fixed order.
            api.setTags(Stream.ofNullable(api.getTags())
                    .flatMap(List::stream)
                    .sorted(Comparator.comparing(Tag::getName))
                    .toList());
            api.getComponents().addSchemas("Problem", problem());
            api.getComponents().getSchemas().values().forEach(schema -> forEach(schema, OpenApiConfiguration::tidy));
            requestsOf(api).forEach(OpenApiConfiguration::close);
            mattersOf(api)
                    .forEach(matters -> matters.setAdditionalProperties(
                            new Schema<>().types(new TreeSet<>(Set.of("number", "string")))));
        };
    }

    /** This bean comes after {@link #answers()}, which adds schemas. */
    @Bean
    FieldDescriptionCustomizer fields() {
        return new FieldDescriptionCustomizer();
    }

    /** Adds to an operation what its class says in other ways than by the annotations of the library. */
    @Bean
    OperationCustomizer operations() {
        return (operation, method) -> {
            operation.setDescription(joined(operation.getDescription()));
            IdempotentCreation creation = method.getMethodAnnotation(IdempotentCreation.class);
            if (creation != null) {
                promiseCreation(operation.getResponses(), creation.otherwise());
            }
            if (method.hasMethodAnnotation(MayNeedSecondPerson.class)) {
                operation.getResponses().addApiResponse(ACCEPTED, proposed());
            }
            boolean isRead = method.hasMethodAnnotation(GetMapping.class);
            if (!isRead && sendsCommands(method.getBeanType())) {
                promisePosition(operation.getResponses());
            }
            ApiResponse ok = operation.getResponses().get("200");
            if (ok != null) {
                streams(method)
                        .forEach(type -> contentOf(ok).addMediaType(type, new MediaType().schema(new StringSchema())));
            }
            boolean isOfReadModel =
                    method.getBeanType().getPackageName().startsWith(QuerySideConfiguration.class.getPackageName());
            return isRead && isOfReadModel ? operation.addParametersItem(after()) : operation;
        };
    }

    /** Joins the lines of each paragraph of a text block. */
    private static @Nullable String joined(@Nullable String block) {
        return block == null ? null : block.strip().replaceAll("(?<!\n)\\h*\n\\h*(?!\n)", " ");
    }

    private static List<String> streams(HandlerMethod method) {
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method.getMethod(), RequestMapping.class);
        return mapping == null
                ? List.of()
                : Stream.of(mapping.produces()).filter(STREAMS::contains).toList();
    }

    private static Content contentOf(ApiResponse response) {
        if (response.getContent() == null) {
            response.setContent(new Content());
        }
        return response.getContent();
    }

    /**
     * Returns the parameter with which a query of a read model waits until the caller's own latest changes are visible.
     */
    private static Parameter after() {
        return new QueryParameter()
                .name("after")
                .description(
                        "A Lottery-Position: the read waits, at most 2 s, until it shows everything up to this position")
                .schema(new IntegerSchema().format("int64").minimum(BigDecimal.ZERO));
    }

    /** Applies the action to a schema and to all schemas within it. */
    @SuppressWarnings({"rawtypes", "unchecked"}) // The library's own types.
    private static void forEach(@Nullable Schema schema, Consumer<Schema<?>> action) {
        if (schema == null) {
            return;
        }
        action.accept(schema);
        forEach(schema.getItems(), action);
        if (schema.getAdditionalProperties() instanceof Schema values) {
            forEach(values, action);
        }
        Map<String, Schema> properties = schema.getProperties();
        if (properties != null) {
            properties.values().forEach(property -> forEach(property, action));
        }
    }

    /**
     * Puts {@code ^} and {@code $} around the pattern. In JSON Schema a pattern may match a part of the text, but in
     * Java it has to match all of it. Also removes limits without effect, such as a minimum of 0.
     */
    private static void tidy(Schema<?> schema) {
        String pattern = schema.getPattern();
        if (pattern != null && !pattern.startsWith("^")) {
            schema.setPattern("^(?:" + pattern + ")$");
        }
        // A minimum of 0 has no effect.
        if (Objects.equals(schema.getMinLength(), 0)) {
            schema.setMinLength(null);
        }
        if (Objects.equals(schema.getMinItems(), 0)) {
            schema.setMinItems(null);
        }
    }

    /** Forbids unknown fields, because the lottery refuses them and does not ignore them. */
    private static void close(Schema<?> request) {
        if (request.getEnum() == null && request.getAdditionalProperties() == null) {
            request.setAdditionalProperties(false);
        }
    }

    @SuppressWarnings("rawtypes") // The library's own types.
    private static Collection<Schema> requestsOf(OpenAPI api) {
        Map<String, Schema> found = new HashMap<>();
        Deque<Schema> unread = new ArrayDeque<>();
        api.getPaths().values().stream()
                .flatMap(item -> item.readOperations().stream())
                .map(Operation::getRequestBody)
                .filter(Objects::nonNull)
                .flatMap(body -> body.getContent().values().stream())
                .forEach(content -> unread.add(content.getSchema()));
        while (!unread.isEmpty()) {
            forEach(unread.remove(), part -> {
                String reference = part.get$ref();
                String name = reference == null ? "" : reference.substring(reference.lastIndexOf('/') + 1);
                Schema schema = api.getComponents().getSchemas().get(name);
                if (schema != null && found.put(name, schema) == null) {
                    unread.add(schema);
                }
            });
        }
        return found.values();
    }

    /**
     * Returns the schemas of {@code matters}, the facts about a user. A number among these facts is taken exactly as it
     * is written.
     */
    private static List<Schema<?>> mattersOf(OpenAPI api) {
        return api.getComponents().getSchemas().values().stream()
                .filter(schema -> schema.getProperties() != null)
                .<Schema<?>>map(schema -> (Schema<?>) schema.getProperties().get("matters"))
                .filter(Objects::nonNull)
                .toList();
    }

    private static void complete(Operation operation) {
        if (NUMBERED.matcher(operation.getOperationId()).matches()) {
            throw new IllegalStateException("Two operations have one name, which is not " + operation.getOperationId());
        }
        for (Parameter parameter : Objects.requireNonNullElse(operation.getParameters(), List.<Parameter>of())) {
            tidy(parameter.getSchema());
            if (parameter.getName().equals("limit")) {
                parameter.getSchema().minimum(BigDecimal.ONE).maximum(BigDecimal.valueOf(LIMIT_MAX));
            }
        }
        operation.getResponses().values().stream()
                .map(ApiResponse::getHeaders)
                .filter(Objects::nonNull)
                .forEach(headers -> headers.replaceAll((name, header) -> explained(name, header)));
        operation.getResponses().addApiResponse("default", refused());
    }

    private static Header explained(String name, Header header) {
        Supplier<Header> meaning = HEADERS.get(name);
        // Headers have only one style, which the library states nevertheless.
        return meaning == null ? header.style(null) : meaning.get().required(header.getRequired());
    }

    /** Returns whether the operations of an endpoint send commands, by itself or by a class that it uses. */
    private static boolean sendsCommands(Class<?> endpoint) {
        return Stream.concat(typesIn(endpoint), typesIn(endpoint).flatMap(OpenApiConfiguration::typesIn))
                .anyMatch(EndpointCommandSender.class::equals);
    }

    private static Stream<Class<?>> typesIn(Class<?> user) {
        return Stream.of(user.getDeclaredFields()).map(Field::getType);
    }

    /** @param otherwise what 200 also returns, without the header; empty if it returns nothing else */
    private static void promiseCreation(ApiResponses responses, String otherwise) {
        ApiResponse ok = Objects.requireNonNull(responses.get("200"));
        responses.addApiResponse("201", new ApiResponse().description("Created").content(ok.getContent()));
        ok.setDescription("A repeated request: the same response, with Idempotency-Replayed: true"
                + (otherwise.isEmpty() ? "" : "; or, without this header, " + otherwise));
        ok.addHeaderObject(IdempotentReplyBuilder.REPLAYED, new Header().required(otherwise.isEmpty()));
    }

    private static ApiResponse proposed() {
        Schema<?> proposal = new Schema<>().$ref("#/components/schemas/" + Proposal.class.getSimpleName());
        return new ApiResponse()
                .description("Accepted: the proposal waits for a second person")
                .content(new Content()
                        .addMediaType(
                                org.springframework.http.MediaType.APPLICATION_JSON_VALUE,
                                new MediaType().schema(proposal)));
    }

    private static void promisePosition(ApiResponses responses) {
        responses.forEach((status, response) -> {
            if (!status.equals(ACCEPTED)) {
                response.addHeaderObject(POSITION, new Header().required(true));
            }
        });
    }

    private static ApiResponse refused() {
        ApiResponse refused = new ApiResponse().description("Refused").content(problemContent());
        refused.addHeaderObject(
                "Retry-After",
                new Header()
                        .description("The number of seconds after which a repetition may succeed")
                        .schema(new IntegerSchema()));
        return refused;
    }

    private static Header position() {
        return new Header()
                .description("The position of the newest event of this command, for the parameter `after` of a read")
                .schema(new IntegerSchema().format("int64"));
    }

    private static Header replayed() {
        return new Header()
                .description("Present if the request was a repetition and nothing was done")
                .schema(new StringSchema()._enum(List.of("true")));
    }

    private static Content problemContent() {
        return new Content()
                .addMediaType(
                        "application/problem+json",
                        new MediaType().schema(new Schema<>().$ref("#/components/schemas/Problem")));
    }

    private static Schema<?> problem() {
        Schema<?> problem = new ObjectSchema();
        problem.setDescription("A refusal (RFC 9457). The URL in `type` explains it.");
        problem.addProperty("type", new StringSchema().format("uri-reference"));
        problem.addProperty("title", new StringSchema());
        problem.addProperty("status", new IntegerSchema());
        problem.addProperty("detail", new StringSchema());
        problem.addProperty("code", new StringSchema()._enum(codes()));
        problem.addProperty("retryable", new BooleanSchema());
        problem.addProperty("traceId", new StringSchema());
        problem.addProperty("findings", new ArraySchema().items(finding()));
        problem.setRequired(List.of("type", "title", "status", "detail", "code", "retryable", "traceId"));
        return problem;
    }

    private static Schema<?> finding() {
        Schema<?> finding = new ObjectSchema();
        finding.addProperty("pointer", new StringSchema().format("json-pointer"));
        finding.addProperty("message", new StringSchema());
        finding.setRequired(List.of("pointer", "message"));
        return finding;
    }

    private static List<String> codes() {
        return Stream.concat(Stream.of(Refusal.values()).map(Refusal::name), Stream.of("INTERNAL"))
                .toList();
    }
}
