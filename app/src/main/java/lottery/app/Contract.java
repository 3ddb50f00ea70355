package lottery.app;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
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
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import lottery.api.Refusal;
import lottery.view.QuerySide;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;

/** The REST contract, as far as it cannot be read from the endpoints. */
@Configuration(proxyBeanMethods = false)
class Contract {

    /** What gives or creates: 201 the first time, 200 each time it is asked again. */
    private static final List<String> CREATING = List.of(
            "/strategies",
            "/activities",
            "/recharges",
            "/draws",
            "/raffle-orders",
            "/{orderId}/draw",
            "/credits/entries");

    /** What is there when it is put for the first time, and has one more version each time after that. */
    private static final String DEFINED = "/decision-trees/{treeId}";

    /** What an order that is open already is answered with, too, which is no repetition. */
    private static final String PARTAKE = "/raffle-orders";

    /** They write nothing, or not to the log. */
    private static final List<String> NO_COMMANDS = List.of(
            "/simulations",
            "/preflight",
            "/verifications",
            "/activity-choices",
            "/award-codes/{awardId}",
            "/invoices",
            "/retry",
            "/drop",
            "/replay");

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Lottery")
                        .version("v1")
                        .description("Raffles: recharge chances, draw, follow awards. Each answer says its trace id"
                                + " in the header Trace-Id: the caller's, from traceparent, or a new one.")
                        .license(new License().name("Apache-2.0")));
    }

    @Bean
    OpenApiCustomizer answers() {
        return api -> {
            api.getComponents().getSchemas().values().forEach(Contract::decimalsAsText);
            api.getComponents().addSchemas("Problem", problem());
            api.getPaths()
                    .forEach((path, item) ->
                            item.readOperationsMap().forEach((method, operation) -> complete(path, method, operation)));
        };
    }

    /** Whatever is asked of a read model can be asked as of what one has just written. */
    @Bean
    OperationCustomizer questions() {
        return (operation, method) -> {
            boolean reads = method.getBeanType().getPackageName().startsWith(QuerySide.class.getPackageName())
                    && method.hasMethodAnnotation(GetMapping.class);
            return reads ? operation.addParametersItem(after()) : operation;
        };
    }

    private static Parameter after() {
        return new QueryParameter()
                .name("after")
                .description("A Lottery-Position: waits, at most 2 s, until everything up to there is to be seen")
                .schema(new IntegerSchema().format("int64").minimum(BigDecimal.ZERO));
    }

    /** A decimal number is text in both directions, so that nobody's floating point rounds a rate. */
    @SuppressWarnings("rawtypes") // The library's own types.
    private static void decimalsAsText(Schema schema) {
        Map<String, Schema> properties = propertiesOf(schema);
        properties.replaceAll(
                (name, property) -> isDecimal(property) ? new StringSchema().format("decimal") : property);
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // The library's own types.
    private static Map<String, Schema> propertiesOf(Schema schema) {
        return Objects.requireNonNullElseGet((Map<String, Schema>) schema.getProperties(), HashMap::new);
    }

    private static boolean isDecimal(Schema<?> property) {
        return "number".equals(property.getType())
                || (property.getTypes() != null && property.getTypes().contains("number"));
    }

    private static void complete(String path, HttpMethod method, Operation operation) {
        ApiResponse ok = operation.getResponses().get("200");
        if (ok != null && method == HttpMethod.POST && CREATING.stream().anyMatch(path::endsWith)) {
            operation.getResponses().addApiResponse("201", created("Done", ok));
            ok.setDescription("Done before by the same request: the same answer, with Idempotency-Replayed: true"
                    + (path.endsWith(PARTAKE) ? "; or, without it, the order that is open already" : ""));
        }
        if (ok != null && method == HttpMethod.PUT && path.endsWith(DEFINED)) {
            operation.getResponses().addApiResponse("201", created("The first version", ok));
            ok.setDescription("A new version, or the newest one, if it says the same");
        }
        if (method != HttpMethod.GET && NO_COMMANDS.stream().noneMatch(path::endsWith)) {
            operation.getResponses().values().forEach(answer -> answer.addHeaderObject("Lottery-Position", position()));
        }
        operation
                .getResponses()
                .addApiResponse(
                        "default", new ApiResponse().description("Refused").content(problemContent()));
    }

    private static ApiResponse created(String description, ApiResponse ok) {
        return new ApiResponse().description(description).content(ok.getContent());
    }

    private static Header position() {
        return new Header()
                .description("Where the newest event of this command is: what to read after")
                .schema(new IntegerSchema().format("int64"));
    }

    private static Content problemContent() {
        return new Content()
                .addMediaType(
                        "application/problem+json",
                        new MediaType().schema(new Schema<>().$ref("#/components/schemas/Problem")));
    }

    private static Schema<?> problem() {
        Schema<?> problem = new ObjectSchema();
        problem.setDescription("A refusal (RFC 9457). Its type is a page that explains it.");
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
