package lottery.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import lottery.store.trace.TraceId;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Gives each request a trace id, and returns it in the answer. The id is the caller's own (W3C {@code traceparent}) if
 * the caller sends one. The thread carries the id from here on, and so does a thread that continues the answer later.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class TraceFilter extends OncePerRequestFilter {

    static final String ANSWERED = "Trace-Id";

    private static final String KNOWN = TraceFilter.class.getName();

    /** Returns the id of a request that this filter may not have seen. Repeated calls return the same id. */
    static TraceId of(HttpServletRequest request) {
        if (request.getAttribute(KNOWN) instanceof TraceId known) {
            return known;
        }
        TraceId id =
                TraceId.ofTraceparent(request.getHeader(TraceId.TRACEPARENT)).orElseGet(TraceId::fresh);
        request.setAttribute(KNOWN, id);
        return id;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        TraceId id = of(request);
        if (!response.isCommitted()) {
            response.setHeader(ANSWERED, id.text());
        }
        try (var _ = TraceId.open(id)) {
            chain.doFilter(request, response);
        }
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }
}
