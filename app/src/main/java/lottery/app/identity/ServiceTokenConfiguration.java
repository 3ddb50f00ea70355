package lottery.app.identity;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.crypto.SecretKey;
import lottery.app.security.AuthenticationSettingsCheck;
import lottery.app.security.SessionCallers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.oauth2.server.authorization.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtGenerator;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Gives tokens to systems that send the name and the password of their account, as OAuth 2 says for client credentials.
 * The lottery alone reads these tokens, so that one secret key signs and checks them. A token says only whose it is, as
 * a session does.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(ServiceTokenConfiguration.HasKey.class)
class ServiceTokenConfiguration {

    static final Duration TOKEN_LASTS = Duration.ofMinutes(10);

    private static final String PATH = "/oauth2/token";
    private static final String AUDIENCE = "lottery";

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    SecurityFilterChain serviceTokens(
            HttpSecurity http, AccountDirectory directory, PasswordLogin passwords, Environment environment) {
        OAuthClientRepository clients = new OAuthClientRepository(directory);
        http.securityMatcher(PATH)
                .sessionManagement(none -> none.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .with(
                        new OAuth2AuthorizationServerConfigurer(),
                        server -> server.registeredClientRepository(clients)
                                .authorizationService(new NoAuthorizationsKept())
                                .authorizationServerSettings(
                                        AuthorizationServerSettings.builder().build())
                                .tokenGenerator(generator(environment))
                                .clientAuthentication(client -> client.authenticationProviders(providers -> {
                                    providers.clear();
                                    providers.add(new OAuthClientAuthenticator(passwords));
                                })));
        return http.build();
    }

    private static JwtGenerator generator(Environment environment) {
        SecretKey key = Objects.requireNonNull(AuthenticationSettingsCheck.tokenKey(environment));
        JwtGenerator generator = new JwtGenerator(NimbusJwtEncoder.withSecretKey(key)
                .algorithm(MacAlgorithm.HS256)
                .build());
        generator.setJwtCustomizer(token -> {
            token.getJwsHeader().algorithm(MacAlgorithm.HS256);
            token.getClaims()
                    .audience(List.of(AUDIENCE))
                    .claim(SessionCallers.VERSION_CLAIM, OAuthClientRepository.versionOf(token.getRegisteredClient()));
        });
        return generator;
    }

    static final class HasKey implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return AuthenticationSettingsCheck.tokenKey(context.getEnvironment()) != null;
        }
    }
}
