package lottery.security;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * Authenticates the callers of a lottery with embedded servers: every caller's password is the same as the name. A
 * caller with the name of a role has that role. A caller with any other name is a player.
 */
public final class DemoAuthenticationProvider implements AuthenticationProvider {

    static final Set<CallerRole> STAFF = Set.of(
            CallerRole.OPERATOR,
            CallerRole.APPROVER,
            CallerRole.FRONT,
            CallerRole.DESK,
            CallerRole.AUDITOR,
            CallerRole.PAYMENTS,
            CallerRole.FULFILMENT,
            CallerRole.METRICS,
            CallerRole.ADMIN);

    /** The players that the start page offers for a first look. */
    public static final List<String> PLAYERS = List.of("ann", "ben", "lili");

    /** Returns the role of a demo caller. */
    public static CallerRole roleOf(String name) {
        return CallerRole.of(name).filter(STAFF::contains).orElse(CallerRole.PLAYER);
    }

    @Override
    public Authentication authenticate(Authentication request) {
        String name = request.getName();
        @Nullable Object password = request.getCredentials();
        if (name.isBlank() || !name.equals(password)) {
            throw new BadCredentialsException("the password of a demo user is its name");
        }
        List<String> roles = List.of(roleOf(name).word());
        return UsernamePasswordAuthenticationToken.authenticated(name, null, Caller.authorities(roles));
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
