package lottery.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import lottery.store.trace.Actor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Records which data about persons a member of the staff reads, before it is read. If the read cannot be recorded, the
 * data is not shown.
 */
final class PersonalReadLogFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(PersonalReadLogFilter.class);

    private final PersonalReadLog log;

    PersonalReadLogFilter(PersonalReadLog log) {
        this.log = log;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (AccessMatrixAuthorizer.isPersonal(request)) {
            String query = request.getQueryString();
            String path = request.getRequestURI() + (query == null ? "" : "?" + query);
            try {
                Actor.current().ifPresent(actor -> log.note(actor, path));
            } catch (DataAccessException away) {
                LOG.warn(
                        "A read of personal data could not be recorded: {}. The caller is answered 503.",
                        away.toString());
                response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
                return;
            }
        }
        chain.doFilter(request, response);
    }
}
