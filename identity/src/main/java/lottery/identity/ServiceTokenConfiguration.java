package lottery.identity;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.crypto.SecretKey;
import lottery.security.AddressLimits;
import lottery.security.AuthenticationSettingsStartCheck;
import lottery.security.SessionCallerFilter;
import lottery.security.SessionCallers;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.oauth2.server.authorization.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.authentication.PublicClientAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.JwtGenerator;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Issues tokens according to OAuth 2. A system sends the name and the password of its account (client credentials). An
 * application redirects its user to the login here, and gets a code that it exchanges for a token (authorization code
 * with PKCE). Only the lottery reads these tokens, so one secret key signs and checks them. Like a session, a token
 * only names its account.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(ServiceTokenConfiguration.HasKey.class)
class ServiceTokenConfiguration {

    static final Duration TOKEN_LASTS = Duration.ofMinutes(10);

    static final String AUTHORIZE = "/oauth2/authorize";

    private static final RequestMatcher TOKEN =
            PathPatternRequestMatcher.withDefaults().matcher("/oauth2/token");

    private static final RequestMatcher LOGIN =
            PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.GET, AUTHORIZE);

    /** The login page. The page for players continues with the request when its user has logged in. */
    private static final String LOGIN_PAGE = "/?continue=";

    private static final String AUDIENCE = "lottery";

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    SecurityFilterChain serviceTokens(
            HttpSecurity http,
            LoginAccountTable accounts,
            AccountDirectory directory,
            SecureRandom random,
            AccountSessions sessions,
            @Qualifier(IdentityAutoConfiguration.SESSION_CONNECTIONS) RedisConnectionFactory redis,
            AddressLimits addresses,
            Environment environment) {
        // Logins of people take no turns of services, and count no tries of theirs.
        PasswordLogin passwords = new PasswordLogin(accounts, directory, new Passwords(random));
        ConfiguredOAuthClientRepository clients = new ConfiguredOAuthClientRepository(environment);
        RedisAuthorizationCodeRepository codes =
                new RedisAuthorizationCodeRepository(new StringRedisTemplate(redis), clients, sessions);
        http.securityMatcher(new OrRequestMatcher(TOKEN, LOGIN))
                .sessionManagement(sessionsOfSpring -> sessionsOfSpring
                        .sessionCreationPolicy(SessionCreationPolicy.STATELESS)
                        // Spring must not change the id of a session: the session gets it when it begins, and keeps it.
                        .sessionFixation()
                        .none())
                .csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .addFilterAfter(new SessionCallerFilter(sessions), SecurityContextHolderFilter.class)
                .addFilterAfter(addresses.filter(), SessionCallerFilter.class)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .exceptionHandling(refusals -> refusals.defaultAuthenticationEntryPointFor(loginPage(), LOGIN))
                .with(
                        new OAuth2AuthorizationServerConfigurer(),
                        server -> server.registeredClientRepository(clients)
                                .authorizationService(codes)
                                .authorizationServerSettings(
                                        AuthorizationServerSettings.builder().build())
                                .tokenGenerator(generator(environment))
                                .clientAuthentication(client -> client.authenticationProviders(providers -> {
                                    providers.clear();
                                    providers.add(new OAuthClientAuthenticator(passwords));
                                    providers.add(new PublicClientAuthenticationProvider(clients, codes));
                                })));
        return http.build();
    }

    /**
     * Returns an entry point that redirects to the login page. The address has no host name: if a proxy does not pass
     * the host name on, only the browser knows it.
     */
    private static AuthenticationEntryPoint loginPage() {
        return (request, response, _) -> {
            String next = AUTHORIZE + "?" + request.getQueryString();
            response.setHeader(HttpHeaders.LOCATION, LOGIN_PAGE + URLEncoder.encode(next, StandardCharsets.UTF_8));
            response.setStatus(HttpStatus.FOUND.value());
        };
    }

    private static JwtGenerator generator(Environment environment) {
        SecretKey key = Objects.requireNonNull(AuthenticationSettingsStartCheck.tokenKey(environment));
        JwtGenerator generator = new JwtGenerator(NimbusJwtEncoder.withSecretKey(key)
                .algorithm(MacAlgorithm.HS256)
                .build());
        generator.setJwtCustomizer(token -> {
            token.getJwsHeader().algorithm(MacAlgorithm.HS256);
            token.getClaims().audience(List.of(AUDIENCE)).claim(SessionCallers.VERSION_CLAIM, versionOf(token));
        });
        return generator;
    }

    private static int versionOf(JwtEncodingContext token) {
        return AuthorizationGrantType.AUTHORIZATION_CODE.equals(token.getAuthorizationGrantType())
                ? RedisAuthorizationCodeRepository.versionIn(Objects.requireNonNull(token.getAuthorization()))
                : OAuthClientAuthenticator.versionOf(Objects.requireNonNull(token.getRegisteredClient()));
    }

    static final class HasKey implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return AuthenticationSettingsStartCheck.tokenKey(context.getEnvironment()) != null;
        }
    }
}
