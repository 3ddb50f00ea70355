package lottery.app;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
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
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.List;
import java.util.stream.Stream;
import lottery.api.Refusal;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The REST contract, as far as it cannot be read from the endpoints. */
@Configuration(proxyBeanMethods = false)
class Contract {

    /** What gives or creates: 201 the first time, 200 each time it is asked again. */
    private static final List<String> CREATING = List.of("/strategies", "/activities", "/recharges", "/draws");

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Lottery")
                        .version("v1")
                        .description("Raffles: recharge chances, draw, follow awards.")
                        .license(new License().name("Apache-2.0")));
    }

    @Bean
    OpenApiCustomizer answers() {
        return api -> {
            api.getComponents().addSchemas("Problem", problem());
            api.getPaths()
                    .forEach((path, item) ->
                            item.readOperationsMap().forEach((method, operation) -> complete(path, method, operation)));
        };
    }

    private static void complete(String path, HttpMethod method, Operation operation) {
        ApiResponse ok = operation.getResponses().get("200");
        if (method == HttpMethod.POST && CREATING.stream().anyMatch(path::endsWith)) {
            operation
                    .getResponses()
                    .addApiResponse("201", new ApiResponse().description("Done").content(ok.getContent()));
            ok.setDescription("Done before by the same request: the same answer, with Idempotency-Replayed: true");
        }
        operation
                .getResponses()
                .addApiResponse(
                        "default", new ApiResponse().description("Refused").content(problemContent()));
    }

    private static Content problemContent() {
        return new Content()
                .addMediaType(
                        "application/problem+json",
                        new MediaType().schema(new Schema<>().$ref("#/components/schemas/Problem")));
    }

    private static Schema<?> problem() {
        return new ObjectSchema()
                .description("A refusal (RFC 9457). Its type is a page that explains it.")
                .addProperty("type", new StringSchema().format("uri-reference"))
                .addProperty("title", new StringSchema())
                .addProperty("status", new IntegerSchema())
                .addProperty("detail", new StringSchema())
                .addProperty("code", new StringSchema()._enum(codes()))
                .addProperty("retryable", new BooleanSchema())
                .addProperty("traceId", new StringSchema())
                .addProperty(
                        "findings",
                        new ArraySchema()
                                .items(new ObjectSchema()
                                        .addProperty("pointer", new StringSchema().format("json-pointer"))
                                        .addProperty("message", new StringSchema())
                                        .required(List.of("pointer", "message"))))
                .required(List.of("type", "title", "status", "detail", "code", "retryable", "traceId"));
    }

    private static List<String> codes() {
        return Stream.concat(Stream.of(Refusal.values()).map(Refusal::name), Stream.of("INTERNAL"))
                .toList();
    }
}
