package lottery.app.security;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.util.ArrayList;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;

/** Says in the REST contract how callers are known, and which roles an operation is for. */
final class RolesInContract implements OpenApiCustomizer {

    private static final String SCHEME = "bearer";

    @Override
    public void customise(OpenAPI api) {
        api.getComponents()
                .addSecuritySchemes(
                        SCHEME,
                        new SecurityScheme()
                                .type(SecurityScheme.Type.HTTP)
                                .scheme(SCHEME)
                                .bearerFormat("JWT")
                                .description("A token for the audience lottery, with the caller's roles in its claim"
                                        + " lottery_roles. The subject of a player is the id of the user."));
        api.setSecurity(List.of(new SecurityRequirement().addList(SCHEME)));
        api.getPaths()
                .forEach((path, item) ->
                        item.readOperationsMap().forEach((method, operation) -> describe(method, path, operation)));
    }

    private static void describe(PathItem.HttpMethod method, String path, Operation operation) {
        AccessRule rule = AccessMatrix.RULES.stream()
                .filter(each -> each.isFor(method.name(), path))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Nobody may ask for " + method + " " + path));
        if (rule.isPublic()) {
            operation.setSecurity(List.of());
        }
        operation.setDescription(roles(rule));
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
        return "For the roles " + String.join(", ", words) + ".";
    }
}
