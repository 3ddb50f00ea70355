package lottery.app.security;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * Knows the callers of a lottery with servers inside: everybody's password is the name. A name of a role has that role,
 * and any other name is the player of that name.
 */
final class DemoCallers implements AuthenticationProvider {

    private static final Set<CallerRole> ROLES = Set.of(
            CallerRole.OPERATOR,
            CallerRole.APPROVER,
            CallerRole.FRONT,
            CallerRole.DESK,
            CallerRole.AUDITOR,
            CallerRole.PAYMENTS,
            CallerRole.FULFILMENT,
            CallerRole.METRICS);

    @Override
    public Authentication authenticate(Authentication request) {
        String name = request.getName();
        @Nullable Object password = request.getCredentials();
        if (name.isBlank() || !name.equals(password)) {
            throw new BadCredentialsException("the password of a demo user is its name");
        }
        CallerRole role = CallerRole.of(name).filter(ROLES::contains).orElse(CallerRole.PLAYER);
        return UsernamePasswordAuthenticationToken.authenticated(name, null, Caller.authorities(List.of(role.word())));
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
