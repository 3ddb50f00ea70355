package lottery.security;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springdoc.core.customizers.OpenApiCustomizer;

/** Describes in the REST contract how callers are authenticated, and which roles may call each operation. */
public final class RolesInContract implements OpenApiCustomizer {

    private static final String BEARER = "bearer";

    @Override
    public void customise(OpenAPI api) {
        api.getComponents().addSecuritySchemes(BEARER, bearer());
        api.getPaths()
                .forEach((path, item) ->
                        item.readOperationsMap().forEach((method, operation) -> describe(method, path, operation)));
    }

    private static SecurityScheme bearer() {
        return new SecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme(BEARER)
                .bearerFormat("JWT")
                .description("A token for the audience lottery, with the caller's roles in its claim"
                        + " lottery_roles. The subject of a player is the id of the user.");
    }

    private static void describe(PathItem.HttpMethod method, String path, Operation operation) {
        AccessRule rule = AccessMatrix.RULES.stream()
                .filter(each -> each.isFor(method.name(), path))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Nobody may ask for " + method + " " + path));
        operation.setSecurity(rule.isPublic() ? List.of() : List.of(new SecurityRequirement().addList(BEARER)));
        operation.setDescription(Stream.of(operation.getDescription(), roles(rule))
                .filter(Objects::nonNull)
                .collect(Collectors.joining("\n\n")));
    }

    private static String roles(AccessRule rule) {
        if (rule.isPublic()) {
            return "For everybody.";
        }
        List<String> words = new ArrayList<>();
        for (CallerRole role : CallerRole.values()) {
            if (rule.roles().contains(role)) {
                words.add(role.word());
            } else if (rule.ownRoles().contains(role)) {
                words.add(role.word() + " (its own)");
            }
        }
        return "For the %s %s.".formatted(words.size() == 1 ? "role" : "roles", String.join(", ", words));
    }
}
