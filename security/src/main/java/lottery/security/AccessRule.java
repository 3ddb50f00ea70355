package lottery.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The rule that says which callers may call one operation.
 *
 * @param isUserInQuery whether the query names the user whose data is requested
 * @param isPublic whether all callers may call it, without authentication
 * @param isPersonal whether the answer has data about persons, so that reads by staff are recorded
 * @param roles the roles that may call it for all users
 * @param ownRoles the roles that may call it for themselves only. The path or the query names the user. If the path has
 *     only an id, for example of an order, the operation itself checks the owner
 */
record AccessRule(
        HttpMethod method,
        PathPattern path,
        boolean isUserInQuery,
        boolean isPublic,
        boolean isPersonal,
        Set<CallerRole> roles,
        Set<CallerRole> ownRoles) {

    private static final String USER = "userId";

    /** Returns a rule that allows no caller yet, for an operation such as {@code GET /api/v1/activities}. */
    static AccessRule of(String operation) {
        String[] parts = operation.split(" ", 2);
        HttpMethod method = HttpMethod.valueOf(parts[0]);
        PathPattern path = PathPatternParser.defaultInstance.parse(parts[1]);
        return new AccessRule(method, path, false, false, false, Set.of(), Set.of());
    }

    AccessRule everybody() {
        return new AccessRule(method, path, isUserInQuery, true, isPersonal, Set.of(), Set.of());
    }

    AccessRule own(CallerRole... some) {
        return new AccessRule(method, path, isUserInQuery, isPublic, isPersonal, roles, Set.of(some));
    }

    AccessRule ownInQuery(CallerRole... some) {
        return new AccessRule(method, path, true, isPublic, isPersonal, roles, Set.of(some));
    }

    AccessRule all(CallerRole... some) {
        return new AccessRule(method, path, isUserInQuery, isPublic, isPersonal, Set.of(some), ownRoles);
    }

    AccessRule personal() {
        return new AccessRule(method, path, isUserInQuery, isPublic, true, roles, ownRoles);
    }

    boolean isFor(String otherMethod, String otherPath) {
        return method.matches(otherMethod) && path.getPatternString().equals(otherPath);
    }

    /** Returns the variables of the path if the request is for this operation. A HEAD counts as a GET. */
    Optional<Map<String, String>> match(HttpMethod asked, PathContainer askedPath) {
        boolean isMethod = method.equals(asked) || (method.equals(HttpMethod.GET) && asked.equals(HttpMethod.HEAD));
        if (!isMethod) {
            return Optional.empty();
        }
        return Optional.ofNullable(path.matchAndExtract(askedPath)).map(PathPattern.PathMatchInfo::getUriVariables);
    }

    Access decide(Caller caller, Map<String, String> variables, HttpServletRequest request) {
        Optional<CallerRole> role = List.of(CallerRole.values()).stream()
                .filter(each -> has(caller, roles, each))
                .findFirst();
        if (role.isPresent()) {
            return Access.granted(caller.in(role.get(), false));
        }
        Optional<CallerRole> ownRole = List.of(CallerRole.values()).stream()
                .filter(each -> has(caller, ownRoles, each))
                .findFirst();
        if (ownRole.isEmpty()) {
            return Access.FORBIDDEN;
        }
        return isOf(caller, variables, request) ? Access.granted(caller.in(ownRole.get(), true)) : Access.NOT_FOUND;
    }

    private static boolean has(Caller caller, Set<CallerRole> allowed, CallerRole role) {
        return allowed.contains(role) && caller.roles().contains(role);
    }

    private boolean isOf(Caller caller, Map<String, String> variables, HttpServletRequest request) {
        @Nullable String inPath = variables.get(USER);
        if (inPath != null) {
            return inPath.equals(caller.name());
        }
        String[] inQuery = request.getParameterValues(USER);
        return isUserInQuery
                ? inQuery != null && inQuery.length == 1 && inQuery[0].equals(caller.name())
                : inQuery == null;
    }

    /** The decision whether a caller may call the operation. */
    sealed interface Access {

        Access FORBIDDEN = new AccessDenied(403);

        /**
         * Denies access to data of another user. The status is 404, because the caller must not learn whether the data
         * exists.
         */
        Access NOT_FOUND = new AccessDenied(404);

        record AccessGranted(Actor actor) implements Access {}

        record AccessDenied(int status) implements Access {}

        static Access granted(Actor actor) {
            return new AccessGranted(actor);
        }
    }
}
