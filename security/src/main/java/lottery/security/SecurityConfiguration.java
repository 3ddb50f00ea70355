package lottery.security;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.SecretKey;
import lottery.limit.LimitConfiguration;
import lottery.limit.SharedBuckets;
import lottery.security.AccessMatrixAuthorizer.RefusedAuthorization;
import lottery.security.TokenDecoder.IssuerUnavailableException;
import lottery.store.log.HomeLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.session.NullAuthenticatedSessionStrategy;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/** Configures how callers are authenticated, as {@code LOTTERY_AUTH} says, and which operations they may call. */
@Configuration(proxyBeanMethods = false)
@Import({LimitConfiguration.class, PersonalReadsEndpoint.class, LoginWaysEndpoint.class})
public class SecurityConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityConfiguration.class);

    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    /** The claim of a token with the roles of its caller. */
    private static final String ROLES_CLAIM = "lottery_roles";

    @Bean
    AddressLimits addressLimits(
            SharedBuckets limits,
            @Value("${lottery.limits.address-requests}") int requestsPerSecond,
            @Value("${lottery.limits.address-streams}") int streamsMax) {
        return new AddressLimits(limits.limiter("address", requestsPerSecond), streamsMax);
    }

    @Bean
    SecurityFilterChain callers(
            HttpSecurity http,
            Environment environment,
            AddressLimits addresses,
            InstantSource clock,
            PersonalReadLog reads,
            ObjectProvider<SessionCallers> sessions) {
        AuthenticationMode mode = AuthenticationSettingsStartCheck.mode(environment);
        Filter limits = addresses.filter();
        http.sessionManagement(sessionsOfSpring -> sessionsOfSpring
                        .sessionCreationPolicy(SessionCreationPolicy.STATELESS)
                        // Spring must not change a session: it gets its id and its CSRF token when it begins, and keeps
                        // both.
                        .sessionFixation()
                        .none())
                .csrf(SecurityConfiguration::onlyForSessions)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .headers(headers -> headers.cacheControl(HeadersConfigurer.CacheControlConfig::disable)
                        .addHeaderWriter(SecurityConfiguration::forTheCallerAlone));
        switch (mode) {
            case GATEWAY -> {
                LOG.warn(
                        "LOTTERY_AUTH is gateway: callers are not authenticated. Any caller who reaches this process may do everything.");
                http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
            }
            case ISSUER -> {
                String issuer = environment.getProperty(AuthenticationSettingsStartCheck.ISSUER, "");
                @Nullable SecretKey ownKey = AuthenticationSettingsStartCheck.tokenKey(environment);
                if (issuer.isBlank() && ownKey == null) {
                    by(
                            AccessMatrix.RULES,
                            http,
                            limits,
                            reads,
                            (_, response, failure) -> unauthenticated(response, "Session", failure));
                    break;
                }
                TokenDecoder decoder = new TokenDecoder(issuer.strip(), ownKey, clock);
                BadTokenLimitFilter badTokens = new BadTokenLimitFilter(decoder::knows);
                http.addFilterAfter(badTokens, SecurityContextHolderFilter.class);
                AuthenticationEntryPoint refusal = (request, response, failure) -> {
                    badTokens.count(request);
                    unauthenticated(response, "Bearer", failure);
                };
                by(AccessMatrix.RULES, http, limits, reads, refusal);
                http.oauth2ResourceServer(tokens -> tokens.authenticationEntryPoint(refusal)
                        .jwt(jwt -> jwt.decoder(decoder).jwtAuthenticationConverter(rolesOfTokens(sessions))));
            }
            case DEMO -> {
                AuthenticationEntryPoint refusal =
                        (request, response, failure) -> unauthenticated(response, demoChallenge(request), failure);
                by(AccessMatrix.RULES_WITH_PAGE, http, limits, reads, refusal);
                http.authenticationManager(new ProviderManager(new DemoAuthenticationProvider()))
                        .httpBasic(basic -> basic.authenticationEntryPoint(refusal));
            }
        }
        sessions.ifAvailable(
                known -> http.addFilterAfter(new SessionCallerFilter(known), SecurityContextHolderFilter.class));
        return http.build();
    }

    /**
     * Keeps caches from showing an answer, or the cookie in it, to another caller, unless the endpoint has its own rule
     * for caches. Browsers may keep the answer, but ask each time whether it is still the newest.
     */
    private static void forTheCallerAlone(HttpServletRequest request, HttpServletResponse response) {
        boolean isForOne =
                AccessMatrixAuthorizer.actorOf(request) != null || response.containsHeader(HttpHeaders.SET_COOKIE);
        if (isForOne && !response.containsHeader(HttpHeaders.CACHE_CONTROL)) {
            response.setHeader(HttpHeaders.CACHE_CONTROL, "private, no-cache");
        }
    }

    /**
     * Returns the value of the header WWW-Authenticate. If a page has sent the request, the value is not Basic, because
     * Basic would make the browser show its own login dialog.
     */
    private static String demoChallenge(HttpServletRequest request) {
        boolean isPage = request.getHeader("X-Requested-With") != null;
        return isPage ? "Session" : "Basic realm=\"lottery\"";
    }

    /**
     * Requires a header with the CSRF token for each change that is sent with a session. Another site can make a
     * browser send the cookie, but not the header. When this filter runs, only callers with a session are
     * authenticated, so other callers need no such header. The wallet of the simulated provider has a plain form, and
     * gives nobody's session any power.
     */
    private static void onlyForSessions(CsrfConfigurer<HttpSecurity> csrf) {
        CookieCsrfTokenRepository tokens = CookieCsrfTokenRepository.withHttpOnlyFalse();
        tokens.setCookieCustomizer(cookie -> cookie.sameSite("Strict"));
        csrf.csrfTokenRepository(tokens)
                .sessionAuthenticationStrategy(new NullAuthenticatedSessionStrategy())
                .csrfTokenRequestHandler(new HeaderOnly())
                .requireCsrfProtectionMatcher(request -> !READS.contains(request.getMethod())
                        && !request.getRequestURI().startsWith("/pay/")
                        && SecurityContextHolder.getContext().getAuthentication() != null);
    }

    /** Takes the CSRF token only from the header, because a form of another site can send parameters. */
    private static final class HeaderOnly extends CsrfTokenRequestAttributeHandler {

        @Override
        public @Nullable String resolveCsrfTokenValue(HttpServletRequest request, CsrfToken token) {
            return request.getHeader(token.getHeaderName());
        }
    }

    @Bean
    PersonalReadLog personalReadLog(@HomeLog JdbcOperations database) {
        return new PersonalReadLog(JdbcClient.create(database));
    }

    /**
     * Turns off Spring Security's observations, which create a span and several counters for each filter in each
     * request.
     */
    @Bean
    SecurityObservationSettings securityObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /**
     * Returns a firewall that refuses only ambiguous paths. Methods, headers and parameters are checked by the code
     * that reads them, which answers with the lottery's own problem documents.
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

    private static void by(
            List<AccessRule> rules,
            HttpSecurity http,
            Filter limits,
            PersonalReadLog reads,
            AuthenticationEntryPoint refusal) {
        http.authorizeHttpRequests(requests -> requests.anyRequest().access(new AccessMatrixAuthorizer(rules)))
                .addFilterBefore(limits, AuthorizationFilter.class)
                .addFilterAfter(new ActorFilter(), AuthorizationFilter.class)
                .addFilterAfter(new PersonalReadLogFilter(reads), ActorFilter.class)
                .exceptionHandling(refusals ->
                        refusals.authenticationEntryPoint(refusal).accessDeniedHandler(SecurityConfiguration::refused));
    }

    private static JwtAuthenticationConverter rolesOfTokens(ObjectProvider<SessionCallers> accounts) {
        JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(token -> Caller.authorities(
                token.hasClaim(SessionCallers.VERSION_CLAIM) ? rolesOfAccount(token, accounts) : rolesIn(token)));
        return converter;
    }

    private static List<String> rolesIn(Jwt token) {
        @Nullable List<String> roles = token.getClaimAsStringList(ROLES_CLAIM);
        return roles == null ? List.of() : roles;
    }

    /**
     * Returns the current roles of a token's account. They are looked up for each request, so that a token becomes
     * invalid when the account is locked or gets a new password.
     */
    private static List<String> rolesOfAccount(Jwt token, ObjectProvider<SessionCallers> accounts) {
        SessionCallers known = accounts.getIfAvailable();
        String name = token.getSubject();
        Optional<List<String>> roles = known != null
                        && name != null
                        && token.getClaims().get(SessionCallers.VERSION_CLAIM) instanceof Number version
                ? known.rolesOf(name, version.intValue())
                : Optional.empty();
        return roles.orElseThrow(
                () -> new InvalidBearerTokenException("the account is locked, or has another password"));
    }

    private static void unauthenticated(HttpServletResponse response, String challenge, AuthenticationException failure)
            throws IOException {
        if (failure instanceof IssuerUnavailableException) {
            LOG.warn(
                    "A token could not be checked, because its issuer does not answer: {}. The caller is answered 503.",
                    String.valueOf(failure.getCause()));
            response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
            return;
        }
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge);
        response.sendError(HttpStatus.UNAUTHORIZED.value());
    }

    private static void refused(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException {
        int status = denied instanceof AuthorizationDeniedException reason
                        && reason.getAuthorizationResult() instanceof RefusedAuthorization refused
                ? refused.status()
                : HttpStatus.FORBIDDEN.value();
        response.sendError(status);
    }
}
