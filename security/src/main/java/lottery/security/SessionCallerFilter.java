package lottery.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Stream;
import lottery.security.SessionCallers.SessionCaller;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/** Authenticates a request by the cookie of its session. A token in the header has precedence. */
public final class SessionCallerFilter extends OncePerRequestFilter {

    /** Caches share the files of the pages, so these answers must not renew the cookie of a session. */
    private static final RequestMatcher SHARED_FILES = PathPatternRequestMatcher.pathPattern("/pages/**");

    private final SessionCallers sessions;

    public SessionCallerFilter(SessionCallers sessions) {
        this.sessions = sessions;
    }

    static boolean isBySession(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        String name = SessionCallers.cookieOf(request);
        return cookies != null
                && request.getHeader(HttpHeaders.AUTHORIZATION) == null
                && Stream.of(cookies).anyMatch(cookie -> cookie.getName().equals(name));
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return SHARED_FILES.matches(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isBySession(request)) {
            sessions.find(request, response)
                    .map(SessionCallerFilter::authenticated)
                    .ifPresent(caller -> SecurityContextHolder.setContext(new SecurityContextImpl(caller)));
        }
        chain.doFilter(request, response);
    }

    private static Authentication authenticated(SessionCaller caller) {
        var known = UsernamePasswordAuthenticationToken.authenticated(
                caller.name(), null, Caller.authorities(caller.roles()));
        known.setDetails(caller);
        return known;
    }
}
