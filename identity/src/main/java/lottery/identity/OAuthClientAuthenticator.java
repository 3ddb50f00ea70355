package lottery.identity;

import java.util.Objects;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.security.RateLimitAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2ClientAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Checks the name and the password of an account that requests a token for itself. The check and its limits are the
 * same as for logins.
 */
final class OAuthClientAuthenticator implements AuthenticationProvider {

    private static final String VERSION = "version";

    private final PasswordLogin passwords;

    OAuthClientAuthenticator(PasswordLogin passwords) {
        this.passwords = passwords;
    }

    /** Returns the session version of the client's account. */
    static int versionOf(RegisteredClient client) {
        return Objects.requireNonNull(client.getClientSettings().<Integer>getSetting(VERSION));
    }

    private static RegisteredClient clientOf(LoginAccount account) {
        return RegisteredClient.withId(account.name())
                .clientId(account.name())
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_POST)
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .clientSettings(ClientSettings.builder()
                        .setting(VERSION, account.sessionVersion())
                        .build())
                .tokenSettings(TokenSettings.builder()
                        .accessTokenTimeToLive(ServiceTokenConfiguration.TOKEN_LASTS)
                        .build())
                .build();
    }

    @Override
    public @Nullable Authentication authenticate(Authentication request) {
        OAuth2ClientAuthenticationToken client = (OAuth2ClientAuthenticationToken) request;
        if (client.getClientAuthenticationMethod().equals(ClientAuthenticationMethod.NONE)) {
            return null; // The client is an application, which has no secret.
        }
        @Nullable Object secret = client.getCredentials();
        if (secret == null || isForCode(client)) {
            throw new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_CLIENT);
        }
        try {
            LoginAccount account = passwords.logIn(client.getName(), secret.toString(), address(request));
            return new OAuth2ClientAuthenticationToken(clientOf(account), client.getClientAuthenticationMethod(), null);
        } catch (RefusedException refused) {
            throw new OAuth2AuthenticationException(
                    refused.refused().why() == Refusal.BUSY
                            ? OAuth2ErrorCodes.TEMPORARILY_UNAVAILABLE
                            : OAuth2ErrorCodes.INVALID_CLIENT);
        }
    }

    /**
     * Returns whether the request presents an authorization code. Only applications may present codes: an account with
     * the same name as an application must not use the application's codes.
     */
    private static boolean isForCode(OAuth2ClientAuthenticationToken client) {
        return AuthorizationGrantType.AUTHORIZATION_CODE
                .getValue()
                .equals(client.getAdditionalParameters().get(OAuth2ParameterNames.GRANT_TYPE));
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
