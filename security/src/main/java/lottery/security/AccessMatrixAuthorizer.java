package lottery.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.security.AccessRule.Access;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Authorizes a request by the {@link AccessMatrix}, and stores its actor in the request. */
final class AccessMatrixAuthorizer implements AuthorizationManager<RequestAuthorizationContext> {

    private static final String ACTOR = AccessMatrixAuthorizer.class.getName();

    /** The paths that are open to all. Any other path without a rule is refused. */
    private static final List<PathPattern> OPEN = Stream.of("/livez", "/readyz", "/problems/**")
            .map(PathPatternParser.defaultInstance::parse)
            .toList();

    /**
     * The roles of staff. If staff read data about persons, this is recorded. The role of fronts is not among these
     * roles, because fronts constantly read for their players.
     */
    private static final Set<String> STAFF = Stream.of(
                    CallerRole.OPERATOR, CallerRole.APPROVER, CallerRole.DESK, CallerRole.AUDITOR, CallerRole.ADMIN)
            .map(CallerRole::word)
            .collect(Collectors.toUnmodifiableSet());

    private static final String PERSONAL = ACTOR + ".personal";

    private static final AuthorizationResult GRANTED = new AuthorizationDecision(true);

    private final List<AccessRule> rules;

    AccessMatrixAuthorizer(List<AccessRule> rules) {
        this.rules = rules;
    }

    /** A refusal, with the status of its answer. */
    record RefusedAuthorization(int status) implements AuthorizationResult {

        @Override
        public boolean isGranted() {
            return false;
        }
    }

    /** Returns the actor of a request; null if the request needs no authentication. */
    static @Nullable Actor actorOf(HttpServletRequest request) {
        return (Actor) request.getAttribute(ACTOR);
    }

    /** Returns whether a member of the staff requests data about persons. */
    static boolean isPersonal(HttpServletRequest request) {
        return request.getAttribute(PERSONAL) != null;
    }

    @Override
    public AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, RequestAuthorizationContext context) {
        HttpServletRequest request = context.getRequest();
        HttpMethod method = HttpMethod.valueOf(request.getMethod());
        if (method.equals(HttpMethod.OPTIONS)) {
            return GRANTED; // OPTIONS only lists the methods and changes nothing.
        }
        PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        for (AccessRule rule : rules) {
            Optional<Map<String, String>> variables = rule.match(method, path);
            if (variables.isPresent()) {
                return rule.isPublic() ? GRANTED : decide(rule, variables.get(), authentication.get(), request);
            }
        }
        return isOpen(path) ? GRANTED : new RefusedAuthorization(403);
    }

    private static AuthorizationResult decide(
            AccessRule rule,
            Map<String, String> variables,
            @Nullable Authentication authentication,
            HttpServletRequest request) {
        if (authentication == null
                || !authentication.isAuthenticated()
                || authentication instanceof AnonymousAuthenticationToken) {
            return new RefusedAuthorization(401);
        }
        return switch (rule.decide(Caller.of(authentication), variables, request)) {
            case Access.AccessGranted(Actor actor) -> {
                request.setAttribute(ACTOR, actor);
                if (rule.isPersonal() && actor.roles().stream().anyMatch(STAFF::contains)) {
                    request.setAttribute(PERSONAL, true);
                }
                yield GRANTED;
            }
            case Access.AccessDenied(int status) -> new RefusedAuthorization(status);
        };
    }

    private static boolean isOpen(PathContainer path) {
        return OPEN.stream().anyMatch(pattern -> pattern.matches(path));
    }
}
