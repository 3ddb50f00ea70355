package lottery.identity;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import lottery.security.AuthenticationSettingsStartCheck;
import lottery.security.SessionCallers;
import lottery.store.log.HomeLog;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.JacksonJsonRedisSerializer;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.data.redis.RedisSessionRepository;
import org.springframework.session.web.http.CookieHttpSessionIdResolver;
import org.springframework.session.web.http.DefaultCookieSerializer;
import org.springframework.session.web.http.HttpSessionIdResolver;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StringUtils;

/** Configures accounts and sessions if {@code LOTTERY_IDENTITY} is true. */
@AutoConfiguration
@ConditionalOnBooleanProperty("lottery.identity")
@Import({SessionEndpoint.class, LoginAccountsEndpoint.class, ServiceTokenConfiguration.class})
class IdentityAutoConfiguration {

    /**
     * The order of a filter that runs after the filters for trace ids and ports, and before the filter that
     * authenticates callers.
     */
    private static final int BEFORE_CALLERS = Ordered.HIGHEST_PRECEDENCE + 2;

    static final String SESSION_CONNECTIONS = "sessionConnections";

    /**
     * The time limit for sessions in Redis. It is longer than the limit of other code, because that code can do without
     * Redis, but sessions cannot.
     */
    private static final Duration SESSION_WAIT_MAX = Duration.ofSeconds(2);

    private static final String NAMESPACE = "lottery:sessions";

    /**
     * Writes texts and numbers only. A serializer that also writes the names of classes would create an object of any
     * class that somebody has named in Redis.
     */
    static final RedisSerializer<Object> SESSION_VALUES = new JacksonJsonRedisSerializer<>(Object.class);

    /** The lifetime of the cookie. No session lasts longer without a request. */
    private static final Duration COOKIE_LASTS = Duration.ofDays(7);

    @Bean
    LoginAccountTable accountTable(Logs logs) {
        DataSource home = logs.home().pool();
        return new LoginAccountTable(
                JdbcClient.create(home), new TransactionTemplate(new JdbcTransactionManager(home)));
    }

    @Bean
    AccountDirectory accountDirectory(LoginAccountTable table, Environment environment) {
        return new AccountDirectory(table, AuthenticationSettingsStartCheck.isDemo(environment));
    }

    @Bean
    Passwords passwords(SecureRandom random) {
        return new Passwords(random);
    }

    @Bean
    PasswordLogin passwordLogin(LoginAccountTable table, AccountDirectory directory, Passwords passwords) {
        return new PasswordLogin(table, directory, passwords);
    }

    @Bean
    PhoneLogin phoneLogin(
            LoginAccountTable table,
            @HomeLog JdbcOperations database,
            SecureRandom random,
            Environment environment,
            @Value("${lottery.identity.phone-url:}") String url,
            @Value("${lottery.identity.phone-codes-per-minute:300}") int perMinute,
            @Value("${lottery.identity.phone-codes-per-day:20000}") int perDay) {
        PhoneCodeTable codes = new PhoneCodeTable(JdbcClient.create(database), perMinute, perDay);
        return new PhoneLogin(table, codes, sender(environment, url), random);
    }

    private static @Nullable PhoneCodeSender sender(Environment environment, String url) {
        if (StringUtils.hasText(url)) {
            return new HttpPhoneCodeSender(url);
        }
        return AuthenticationSettingsStartCheck.isDemo(environment) ? new LoggingPhoneCodeSender() : null;
    }

    @Bean
    @ConditionalOnProperty(name = "lottery.auth", havingValue = "issuer", matchIfMissing = true)
    FirstAdministrator firstAdministrator(
            LoginAccountTable table,
            Passwords passwords,
            @Value("${lottery.identity.admin-password:}") String password) {
        return new FirstAdministrator(table, passwords, StringUtils.hasText(password) ? password : null);
    }

    @Bean
    AccountSessions accountSessions(AccountDirectory directory, HttpSessionIdResolver cookies, InstantSource clock) {
        return new AccountSessions(directory, cookies, clock);
    }

    @Bean
    HttpSessionIdResolver sessionCookies(Environment environment) {
        return new SessionCookies(
                cookies(SessionCallers.COOKIE, environment), cookies(SessionCallers.OPERATORS_COOKIE, environment));
    }

    private static HttpSessionIdResolver cookies(String name, Environment environment) {
        DefaultCookieSerializer cookie = new DefaultCookieSerializer();
        cookie.setCookieName(name);
        cookie.setCookiePath("/");
        cookie.setUseHttpOnlyCookie(true);
        cookie.setSameSite("Strict");
        cookie.setCookieMaxAge(Math.toIntExact(COOKIE_LASTS.toSeconds()));
        if (!AuthenticationSettingsStartCheck.isDemo(environment)) {
            cookie.setUseSecureCookie(true);
        }
        CookieHttpSessionIdResolver resolver = new CookieHttpSessionIdResolver();
        resolver.setCookieSerializer(cookie);
        return resolver;
    }

    @Bean
    FilterRegistrationBean<SessionsAwayFilter> sessionsAway() {
        FilterRegistrationBean<SessionsAwayFilter> filter = new FilterRegistrationBean<>(new SessionsAwayFilter());
        filter.setOrder(BEFORE_CALLERS);
        return filter;
    }

    /** Connections to the same Redis with a longer time limit. */
    @Bean(name = SESSION_CONNECTIONS, defaultCandidate = false)
    LettuceConnectionFactory sessionConnections(LettuceConnectionFactory usual) {
        LettuceClientConfiguration limits = usual.getClientConfiguration();
        LettuceClientConfigurationBuilder patient =
                LettuceClientConfiguration.builder().commandTimeout(SESSION_WAIT_MAX);
        limits.getClientResources().ifPresent(patient::clientResources);
        limits.getClientOptions().ifPresent(patient::clientOptions);
        if (limits.isUseSsl()) {
            patient.useSsl().verifyPeer(limits.getVerifyMode());
        }
        return new LettuceConnectionFactory(usual.getStandaloneConfiguration(), patient.build());
    }

    /** Finds the session of each request in Redis, where every process can read it. */
    @Bean
    FilterRegistrationBean<SessionRepositoryFilter<?>> sessions(
            @Qualifier(SESSION_CONNECTIONS) RedisConnectionFactory redis, HttpSessionIdResolver cookies) {
        RedisTemplate<String, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(redis);
        template.setKeySerializer(RedisSerializer.string());
        template.setHashKeySerializer(RedisSerializer.string());
        template.setHashValueSerializer(SESSION_VALUES);
        template.afterPropertiesSet();
        RedisSessionRepository repository = new RedisSessionRepository(template);
        repository.setRedisKeyNamespace(NAMESPACE);
        return sessions(new WriteTolerantSessionRepository<>(repository), cookies);
    }

    private static <S extends Session> FilterRegistrationBean<SessionRepositoryFilter<?>> sessions(
            SessionRepository<S> repository, HttpSessionIdResolver cookies) {
        SessionRepositoryFilter<S> sessions = new SessionRepositoryFilter<>(repository);
        sessions.setHttpSessionIdResolver(cookies);
        FilterRegistrationBean<SessionRepositoryFilter<?>> filter = new FilterRegistrationBean<>(sessions);
        filter.setOrder(BEFORE_CALLERS + 1);
        return filter;
    }
}
