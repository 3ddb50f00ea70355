package lottery.app.identity;

import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.app.security.RateLimitAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2ClientAuthenticationToken;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Checks the name and the password of a client in the way that logins are checked, with the same limits. */
final class OAuthClientAuthenticator implements AuthenticationProvider {

    private final PasswordLogin passwords;

    OAuthClientAuthenticator(PasswordLogin passwords) {
        this.passwords = passwords;
    }

    @Override
    public Authentication authenticate(Authentication request) {
        OAuth2ClientAuthenticationToken client = (OAuth2ClientAuthenticationToken) request;
        @Nullable Object secret = client.getCredentials();
        if (secret == null) {
            throw new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_CLIENT);
        }
        try {
            LoginAccount account = passwords.logIn(client.getName(), secret.toString(), address(request));
            return new OAuth2ClientAuthenticationToken(
                    OAuthClientRepository.of(account), client.getClientAuthenticationMethod(), null);
        } catch (RefusedException refused) {
            throw new OAuth2AuthenticationException(
                    refused.refused().why() == Refusal.BUSY
                            ? OAuth2ErrorCodes.TEMPORARILY_UNAVAILABLE
                            : OAuth2ErrorCodes.INVALID_CLIENT);
        }
    }

    private static String address(Authentication request) {
        return request.getDetails() instanceof WebAuthenticationDetails details
                ? RateLimitAddress.of(details.getRemoteAddress())
                : "";
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return OAuth2ClientAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
