package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.UserShard;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UriUtils;

/**
 * Handles a request in the log of the user whom it is about. The path names the user, or something of the user such as
 * an order; or the parameter {@code userId} of the wheel does. Other requests are handled in the home log.
 */
final class LogOfPathFilter extends OncePerRequestFilter {

    /** Matches a path that names a user. The management port also has accounts, of the staff. */
    private static final Pattern USER = Pattern.compile("/(?:activities/[^/]+/accounts|users)/([^/]+)");

    /** Matches the path of a wheel, which is read for the user whom a parameter names. */
    private static final Pattern WHEEL = Pattern.compile("/api/v1/activities/[^/]+/awards");

    /** The logs are looked up at the first request, because filters are created before other beans. */
    private final ObjectProvider<Logs> logs;

    LogOfPathFilter(ObjectProvider<Logs> logs) {
        this.logs = logs;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return logs.getObject().all().size() == 1;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            logOf(request).call(() -> {
                chain.doFilter(request, response);
                return true;
            });
        } catch (ServletException | IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private Log logOf(HttpServletRequest request) {
        return inPath(request.getRequestURI())
                .or(() -> WHEEL.matcher(request.getRequestURI()).matches()
                        ? ofUser(request.getParameter("userId"))
                        : Optional.empty())
                .orElseGet(() -> logs.getObject().home());
    }

    private Optional<Log> inPath(String path) {
        Matcher user = USER.matcher(path);
        return user.find()
                ? ofUser(UriUtils.decode(user.group(1), UTF_8))
                : Stream.of(path.split("/"))
                        .map(segment -> UriUtils.decode(segment, UTF_8))
                        .filter(id -> UserShard.ofAggregate(id).isPresent())
                        .findFirst()
                        .map(id -> logs.getObject().of(id));
    }

    /**
     * Returns the log of a user; empty if the text is no id of a user, so that the request is refused where it is
     * handled.
     */
    private Optional<Log> ofUser(@Nullable String user) {
        try {
            return Optional.ofNullable(user).map(value -> logs.getObject().ofPerson(new UserId(value).value()));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
