package lottery.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import lottery.limit.CallerRateLimiter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the requests of players and unknown callers from one address, and their open streams. Systems and operators
 * have no limit here. It is thread-safe. Each process counts streams separately.
 */
final class AddressLimitFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(AddressLimitFilter.class);

    private static final String STREAM = "/stream";

    /**
     * The health paths, which have no limit. Without an answer to them, a load balancer would treat the process as
     * dead.
     */
    private static final Set<String> PROBES = Set.of("/livez", "/readyz");

    private static final String FORWARDED = "X-Forwarded-For";
    /** Messages of providers of payments come from few addresses. They are signed. */
    private static final String CALLBACKS = "/api/v1/payment-callbacks/";

    private final CallerRateLimiter requests;
    private final int streamsMax;
    private final ConcurrentMap<String, Integer> streams = new ConcurrentHashMap<>();
    private final AtomicBoolean isProxyTold = new AtomicBoolean();

    /** @param streamsMax how many streams may be open at the same time; 0: there is no limit */
    AddressLimitFilter(CallerRateLimiter requests, int streamsMax) {
        this.requests = requests;
        this.streamsMax = streamsMax;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!isLimited()
                || PROBES.contains(request.getServletPath())
                || request.getServletPath().startsWith(CALLBACKS)) {
            chain.doFilter(request, response);
        } else if (!requests.tryTake(RateLimitAddress.of(request))) {
            refuse(request, response);
        } else if (streamsMax > 0 && request.getServletPath().endsWith(STREAM)) {
            stream(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private static boolean isLimited() {
        @Nullable
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication == null
                || authentication instanceof AnonymousAuthenticationToken
                || Set.of(CallerRole.PLAYER)
                        .containsAll(Caller.of(authentication).roles());
    }

    /**
     * Passes the request on, and counts its stream as open until this call returns: a stream holds the thread of its
     * request until the stream ends.
     */
    private void stream(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String address = RateLimitAddress.of(request);
        if (streams.merge(address, 1, Integer::sum) > streamsMax) {
            leave(address);
            refuse(request, response);
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            leave(address);
        }
    }

    private void leave(String address) {
        streams.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getHeader(FORWARDED) != null && isProxyTold.compareAndSet(false, true)) {
            LOG.warn(
                    "Requests from {} exceed the limit of one address, and seem to come through a proxy."
                            + " If it is your proxy, set LOTTERY_FORWARDED to native.",
                    request.getRemoteAddr());
        }
        response.setHeader(HttpHeaders.RETRY_AFTER, "1");
        response.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
    }
}
