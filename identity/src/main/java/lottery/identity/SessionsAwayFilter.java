package lottery.identity;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers 503 to requests with a session cookie while sessions cannot be read. Requests with a token need no session.
 */
final class SessionsAwayFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(SessionsAwayFilter.class);

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (DataAccessException away) {
            LOG.warn("A session could not be read or written: {}. The caller is answered 503.", away.toString());
            if (!response.isCommitted()) {
                response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
            }
        }
    }
}
