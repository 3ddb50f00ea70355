package lottery.app.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import lottery.store.trace.Actor;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Records which data about persons a member of the staff reads, before it is read. If the read cannot be recorded, the
 * data is not shown.
 */
final class PersonalReadLogFilter extends OncePerRequestFilter {

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
            Actor.current().ifPresent(actor -> log.note(actor, path));
        }
        chain.doFilter(request, response);
    }
}
