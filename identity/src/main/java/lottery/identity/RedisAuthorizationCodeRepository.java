package lottery.identity;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.api.RefusedException;
import lottery.api.Sha256;
import lottery.security.SessionCallers;
import lottery.security.SessionCallers.SessionCaller;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationException;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps authorization codes in Redis for a minute, beside the sessions, so that any process can exchange a code for a
 * token. A code can be used once. It is invalid if the account was locked or got another password after the session
 * began. Redis has only a hash of the code. Tokens are not stored, because a token contains all its data and is neither
 * refreshed nor introspected.
 */
final class RedisAuthorizationCodeRepository implements OAuth2AuthorizationService {

    static final Duration CODE_LASTS = Duration.ofMinutes(1);

    /** The name of the attribute that holds the session version of the account. */
    private static final String VERSION = "version";

    private static final String PREFIX = "lottery:authorization-code:";

    /** The most codes per minute for one account, in this process. */
    private static final int CODES_PER_MINUTE = 60;

    private final StringRedisTemplate redis;
    private final ConfiguredOAuthClientRepository clients;
    private final SessionCallers sessions;
    private final InProcessLoginAttemptLimiter codes = new InProcessLoginAttemptLimiter(CODES_PER_MINUTE);

    RedisAuthorizationCodeRepository(
            StringRedisTemplate redis, ConfiguredOAuthClientRepository clients, SessionCallers sessions) {
        this.redis = redis;
        this.clients = clients;
        this.sessions = sessions;
    }

    /**
     * A code as it is stored in Redis.
     *
     * @param version the version of the account in the user's session; a lock or a new password changes the version, so
     *     the code is then invalid, too
     * @param redirectUri the requested address; null if the application has only one address and did not send it
     */
    private record KeptCode(
            String client,
            String account,
            int version,
            @Nullable String redirectUri,
            String challenge,
            String challengeMethod,
            Instant issuedAt,
            Instant expiresAt) {}

    /** Returns the session version that the account had when the code was issued. */
    static int versionIn(OAuth2Authorization authorization) {
        return Objects.requireNonNull(authorization.<Integer>getAttribute(VERSION));
    }

    /**
     * Stores a new code, or deletes a used one. If a code is used twice at the same time, the second use is refused
     * here.
     */
    @Override
    public void save(OAuth2Authorization authorization) {
        OAuth2Authorization.Token<OAuth2AuthorizationCode> code = authorization.getToken(OAuth2AuthorizationCode.class);
        if (code == null) {
            return; // It is a token for client credentials.
        }
        String key = keyOf(code.getToken().getTokenValue());
        if (!code.isInvalidated()) {
            redis.opsForValue().set(key, kept(authorization, code.getToken()), CODE_LASTS);
        } else if (!Boolean.TRUE.equals(redis.delete(key))) {
            throw new OAuth2AuthenticationException(OAuth2ErrorCodes.INVALID_GRANT);
        }
    }

    private String kept(OAuth2Authorization authorization, OAuth2AuthorizationCode code) {
        OAuth2AuthorizationRequest request = Objects.requireNonNull(
                authorization.<OAuth2AuthorizationRequest>getAttribute(OAuth2AuthorizationRequest.class.getName()));
        Authentication user =
                Objects.requireNonNull(authorization.<Authentication>getAttribute(Principal.class.getName()));
        String name = user.getName();
        try {
            codes.begin(name);
        } catch (RefusedException tooMany) {
            throw new OAuth2AuthorizationCodeRequestAuthenticationException(
                    new OAuth2Error(OAuth2ErrorCodes.TEMPORARILY_UNAVAILABLE), tooMany, answerTo(request, user));
        }
        Map<String, Object> parameters = request.getAdditionalParameters();
        return JsonMapper.shared()
                .writeValueAsString(new KeptCode(
                        request.getClientId(),
                        name,
                        SessionCaller.of(user).version(),
                        request.getRedirectUri(),
                        String.valueOf(parameters.get(PkceParameterNames.CODE_CHALLENGE)),
                        String.valueOf(parameters.get(PkceParameterNames.CODE_CHALLENGE_METHOD)),
                        Objects.requireNonNull(code.getIssuedAt()),
                        Objects.requireNonNull(code.getExpiresAt())));
    }

    /**
     * Returns where the browser is redirected after a refusal: to the application, which can then inform its user. Only
     * an application with one redirect address may omit the address in its request.
     */
    private OAuth2AuthorizationCodeRequestAuthenticationToken answerTo(
            OAuth2AuthorizationRequest request, Authentication user) {
        String address = request.getRedirectUri();
        if (address == null) {
            RegisteredClient client = Objects.requireNonNull(clients.findByClientId(request.getClientId()));
            address = client.getRedirectUris().iterator().next();
        }
        return new OAuth2AuthorizationCodeRequestAuthenticationToken(
                request.getAuthorizationUri(),
                request.getClientId(),
                user,
                address,
                request.getState(),
                request.getScopes(),
                request.getAdditionalParameters());
    }

    @Override
    public @Nullable OAuth2Authorization findByToken(String token, @Nullable OAuth2TokenType type) {
        String text = redis.opsForValue().get(keyOf(token));
        if (text == null) {
            return null;
        }
        KeptCode kept = JsonMapper.shared().readValue(text, KeptCode.class);
        RegisteredClient client = clients.findByClientId(kept.client());
        boolean isSameAccount = sessions.rolesOf(kept.account(), kept.version()).isPresent();
        if (client == null || !isSameAccount) {
            return null;
        }
        OAuth2AuthorizationRequest request = OAuth2AuthorizationRequest.authorizationCode()
                .authorizationUri(ServiceTokenConfiguration.AUTHORIZE)
                .clientId(kept.client())
                .redirectUri(kept.redirectUri())
                .additionalParameters(Map.of(
                        PkceParameterNames.CODE_CHALLENGE,
                        kept.challenge(),
                        PkceParameterNames.CODE_CHALLENGE_METHOD,
                        kept.challengeMethod()))
                .build();
        return OAuth2Authorization.withRegisteredClient(client)
                .principalName(kept.account())
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .attribute(
                        Principal.class.getName(),
                        UsernamePasswordAuthenticationToken.authenticated(kept.account(), null, List.of()))
                .attribute(OAuth2AuthorizationRequest.class.getName(), request)
                .attribute(VERSION, kept.version())
                .token(new OAuth2AuthorizationCode(token, kept.issuedAt(), kept.expiresAt()))
                .build();
    }

    @Override
    public void remove(OAuth2Authorization authorization) {}

    @Override
    public @Nullable OAuth2Authorization findById(String id) {
        return null;
    }

    private static String keyOf(String code) {
        return PREFIX + Sha256.hex(code.getBytes(StandardCharsets.UTF_8));
    }
}
