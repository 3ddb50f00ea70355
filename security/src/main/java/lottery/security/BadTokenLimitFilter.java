package lottery.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses unknown tokens from an address that has just sent many bad tokens. The reason is cost: the check of a token
 * costs more than a request that reads data, and may cause a request to the issuer. A token that was recently found
 * valid passes. It is thread-safe. Each process counts separately.
 */
final class BadTokenLimitFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";
    private static final int PER_SECOND = 20;
    private static final int AT_ONCE = 200;
    private static final Duration IDLE_MAX = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 100_000;

    private final Predicate<String> isKnown;

    private final Cache<String, Bucket> bad = Caffeine.newBuilder()
            .maximumSize(ADDRESSES_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    /** @param isKnown whether a token was recently found valid */
    BadTokenLimitFilter(Predicate<String> isKnown) {
        this.isKnown = isKnown;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Bucket known = bad.getIfPresent(RateLimitAddress.of(request));
        if (known != null && known.getAvailableTokens() <= 0 && isNew(request)) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            response.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
        } else {
            chain.doFilter(request, response);
        }
    }

    private boolean isNew(HttpServletRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        boolean isBearer = header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return isBearer && !isKnown.test(header.substring(BEARER.length()).strip());
    }

    /** Counts a request whose token was not accepted. */
    void count(HttpServletRequest request) {
        if (request.getHeader(HttpHeaders.AUTHORIZATION) != null) {
            bad.get(RateLimitAddress.of(request), _ -> fresh()).tryConsume(1);
        }
    }

    private static Bucket fresh() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(AT_ONCE).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
                .build();
    }
}
