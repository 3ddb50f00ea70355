package lottery.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import lottery.security.SessionCallers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationException;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationToken;

@DisplayName("The authorization codes of applications")
class RedisAuthorizationCodeRepositoryTest {

    private static final String APPLICATION = "app";
    private static final String ADDRESS = "https://app.example/back";
    private static final String PLAYER = "player";

    /** More than an account gets in a minute, and in the minute after it. */
    private static final int TOO_MANY = 121;

    private static final ConfiguredOAuthClientRepository CLIENTS = new ConfiguredOAuthClientRepository(
            new MockEnvironment().withProperty("lottery.identity.clients." + APPLICATION, ADDRESS));

    /** Knows the second version of each account: each has another password since its first one. */
    private static final SessionCallers SECOND_VERSION = new SessionCallers() {
        @Override
        public Optional<List<String>> rolesOf(String name, int version) {
            return version == 2 ? Optional.of(List.of(PLAYER)) : Optional.empty();
        }

        @Override
        public Optional<SessionCaller> find(HttpServletRequest request, HttpServletResponse response) {
            throw new UnsupportedOperationException("codes are made for the caller that a filter has found");
        }
    };

    private static EmbeddedServers servers;
    private static LettuceConnectionFactory connections;

    @BeforeAll
    static void start(@TempDir Path folder) {
        servers = EmbeddedServers.start(EmbeddedSettings.forTests(folder, EmbeddedServerKind.REDIS));
        connections = new LettuceConnectionFactory(
                (RedisStandaloneConfiguration) LettuceConnectionFactory.createRedisConfiguration(
                        Objects.requireNonNull(servers.properties().get("lottery.redis.url"))));
        connections.start();
    }

    @AfterAll
    static void stop() {
        connections.destroy();
        servers.close();
    }

    private static RedisAuthorizationCodeRepository repository() {
        return new RedisAuthorizationCodeRepository(new StringRedisTemplate(connections), CLIENTS, SECOND_VERSION);
    }

    /** Returns a new code as Spring makes it, for a session of that version. The request has named no address. */
    private static OAuth2Authorization made(String code, int version) {
        UsernamePasswordAuthenticationToken user =
                UsernamePasswordAuthenticationToken.authenticated("ann", null, List.of());
        user.setDetails(new SessionCallers.SessionCaller("ann", List.of(PLAYER), version));
        OAuth2AuthorizationRequest request = OAuth2AuthorizationRequest.authorizationCode()
                .authorizationUri(ServiceTokenConfiguration.AUTHORIZE)
                .clientId(APPLICATION)
                .state("s1")
                .additionalParameters(Map.of(
                        PkceParameterNames.CODE_CHALLENGE, "challenge",
                        PkceParameterNames.CODE_CHALLENGE_METHOD, "S256"))
                .build();
        Instant now = Instant.now();
        return OAuth2Authorization.withRegisteredClient(Objects.requireNonNull(CLIENTS.findByClientId(APPLICATION)))
                .principalName("ann")
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .attribute(Principal.class.getName(), user)
                .attribute(OAuth2AuthorizationRequest.class.getName(), request)
                .token(new OAuth2AuthorizationCode(code, now, now.plus(RedisAuthorizationCodeRepository.CODE_LASTS)))
                .build();
    }

    @Test
    @DisplayName("A code has the version of its session, and gives no token if its account got another one meanwhile.")
    void versionOfSession() {
        RedisAuthorizationCodeRepository codes = repository();
        codes.save(made("of-first", 1));
        assertThat(codes.findByToken("of-first", null)).isNull();

        codes.save(made("of-second", 2));
        OAuth2Authorization found = Objects.requireNonNull(codes.findByToken("of-second", null));
        assertThat(RedisAuthorizationCodeRepository.versionIn(found)).isEqualTo(2);
    }

    @Test
    @DisplayName("An application that has named no address is told of one code too many at the one that it has.")
    void tooMany() {
        RedisAuthorizationCodeRepository codes = repository();
        OAuth2AuthorizationCodeRequestAuthenticationException refused =
                catchThrowableOfType(OAuth2AuthorizationCodeRequestAuthenticationException.class, () -> {
                    for (int number = 0; number < TOO_MANY; number++) {
                        codes.save(made("code-" + number, 2));
                    }
                });
        assertThat(refused.getError().getErrorCode()).isEqualTo("temporarily_unavailable");
        OAuth2AuthorizationCodeRequestAuthenticationToken answer =
                Objects.requireNonNull(refused.getAuthorizationCodeRequestAuthentication());
        assertThat(answer.getRedirectUri()).isEqualTo(ADDRESS);
        assertThat(answer.getState()).isEqualTo("s1");
    }
}
