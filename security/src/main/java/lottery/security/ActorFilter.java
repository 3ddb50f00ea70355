package lottery.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import lottery.store.trace.Actor;
import org.springframework.web.filter.OncePerRequestFilter;

/** Makes the actor of a request known to the thread that handles it. */
final class ActorFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try (var _ = Actor.open(AccessMatrixAuthorizer.actorOf(request))) {
            chain.doFilter(request, response);
        }
    }
}
