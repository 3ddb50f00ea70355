package lottery.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Gives each request a trace id, the caller's own (W3C {@code traceparent}) where there is one: problems and log lines
 * carry it.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class TraceId extends OncePerRequestFilter {

    private static final String KEY = "traceId";
    private static final String NONE = "none";
    private static final Pattern TRACE_PARENT = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

    /** Of a request of which the filter may not have heard. */
    static String of(HttpServletRequest request) {
        return request.getAttribute(KEY) instanceof String known ? known : traceOf(request);
    }

    static String current() {
        return Optional.ofNullable(MDC.get(KEY)).orElse(NONE);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String id = of(request);
        request.setAttribute(KEY, id);
        MDC.put(KEY, id);
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove(KEY);
        }
    }

    private static String traceOf(HttpServletRequest request) {
        return Optional.ofNullable(request.getHeader("traceparent"))
                .map(TRACE_PARENT::matcher)
                .filter(Matcher::matches)
                .map(parent -> parent.group(1))
                .orElseGet(TraceId::fresh);
    }

    private static String fresh() {
        byte[] id = new byte[16];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
