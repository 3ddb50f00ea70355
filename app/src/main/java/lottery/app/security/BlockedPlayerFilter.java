package lottery.app.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.store.pace.CallerBlocklist;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses all requests of blocked players, before any work is done and before the request counts for their address.
 * Systems and operators are never blocked.
 */
final class BlockedPlayerFilter extends OncePerRequestFilter {

    private final CallerBlocklist blocked;

    BlockedPlayerFilter(CallerBlocklist blocked) {
        this.blocked = blocked;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Duration> remaining = player().flatMap(blocked::remaining);
        if (remaining.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        long seconds = remaining.get().plusMillis(999).toSeconds();
        long minutes = remaining.get().plusMillis(59_999).toMinutes();
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        request.setAttribute(Refused.class.getName(), new Refused(Refusal.PLAYER_BLOCKED, Long.toString(minutes)));
        response.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
    }

    private static Optional<String> player() {
        @Nullable
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return Optional.ofNullable(authentication)
                .map(Caller::of)
                .filter(caller -> caller.roles().equals(Set.of(CallerRole.PLAYER)))
                .map(Caller::name);
    }
}
