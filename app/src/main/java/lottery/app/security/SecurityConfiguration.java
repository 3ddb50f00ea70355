package lottery.app.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import lottery.app.security.CallerAuthorization.Refusing;
import lottery.app.security.TokenDecoder.IssuerAway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/** Asks each caller who he is, in the way that {@code LOTTERY_AUTH} says, and what he may do. */
@Configuration(proxyBeanMethods = false)
@Import(RolesInContract.class)
public class SecurityConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityConfiguration.class);

    private static final String ROLES_CLAIM = "lottery_roles";

    @Bean
    SecurityFilterChain callers(HttpSecurity http, Environment environment, InstantSource clock) {
        AuthenticationMode mode = AuthenticationSettings.mode(environment);
        BadTokenFilter badTokens = new BadTokenFilter();
        AddressLimitFilter limits = new AddressLimitFilter(
                environment.getRequiredProperty("lottery.limits.address-requests", Integer.class),
                environment.getRequiredProperty("lottery.limits.address-streams", Integer.class));
        http.sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // Nothing here is known by a cookie.
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .headers(headers -> headers.cacheControl(HeadersConfigurer.CacheControlConfig::disable));
        switch (mode) {
            case GATEWAY -> {
                LOG.warn(
                        "LOTTERY_AUTH is gateway: nobody is asked who he is. Whoever reaches the lottery may do everything.");
                http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
            }
            case ISSUER -> {
                String issuer = environment.getRequiredProperty(AuthenticationSettings.ISSUER);
                byMatrix(http, "Bearer", limits, badTokens);
                http.oauth2ResourceServer(tokens -> tokens.authenticationEntryPoint((request, response, failure) ->
                                unauthenticated(request, response, badTokens, "Bearer", failure))
                        .jwt(jwt -> jwt.decoder(new TokenDecoder(issuer, clock))
                                .jwtAuthenticationConverter(rolesOfTokens())));
            }
            case DEMO -> {
                byMatrix(http, "Basic realm=\"lottery\"", limits, badTokens);
                http.authenticationManager(new ProviderManager(new DemoCallers()))
                        .httpBasic(basic -> basic.authenticationEntryPoint((request, response, failure) ->
                                unauthenticated(request, response, badTokens, "Basic realm=\"lottery\"", failure)));
            }
        }
        return http.build();
    }

    /**
     * Refuses ambiguous paths. Methods, headers and parameters are checked where they are read, with an answer of ours.
     */
    @Bean
    HttpFirewall pathsOnly() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setUnsafeAllowAnyHttpMethod(true);
        firewall.setAllowUrlEncodedPercent(true);
        firewall.setAllowedHeaderValues(_ -> true);
        firewall.setAllowedParameterNames(_ -> true);
        return firewall;
    }

    private static void byMatrix(
            HttpSecurity http, String challenge, AddressLimitFilter limits, BadTokenFilter badTokens) {
        http.authorizeHttpRequests(requests -> requests.anyRequest().access(new CallerAuthorization()))
                .addFilterAfter(badTokens, SecurityContextHolderFilter.class)
                .addFilterBefore(limits, AuthorizationFilter.class)
                .addFilterAfter(new ActorFilter(), AuthorizationFilter.class)
                .exceptionHandling(refusals -> refusals.authenticationEntryPoint((request, response, failure) ->
                                unauthenticated(request, response, badTokens, challenge, failure))
                        .accessDeniedHandler(SecurityConfiguration::refused));
    }

    private static JwtAuthenticationConverter rolesOfTokens() {
        JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(token -> {
            @Nullable List<String> roles = token.getClaimAsStringList(ROLES_CLAIM);
            return Caller.authorities(roles == null ? List.of() : roles);
        });
        return converter;
    }

    private static void unauthenticated(
            HttpServletRequest request,
            HttpServletResponse response,
            BadTokenFilter badTokens,
            String challenge,
            AuthenticationException failure)
            throws IOException {
        if (failure instanceof IssuerAway) {
            LOG.warn("A token could not be checked: {}", String.valueOf(failure.getCause()));
            response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
            return;
        }
        badTokens.count(request);
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge);
        response.sendError(HttpStatus.UNAUTHORIZED.value());
    }

    private static void refused(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException {
        int status = denied instanceof AuthorizationDeniedException reason
                        && reason.getAuthorizationResult() instanceof Refusing refusing
                ? refusing.status()
                : HttpStatus.FORBIDDEN.value();
        response.sendError(status);
    }
}
