package lottery.security;

import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Stops the start if the settings do not say how callers are authenticated. A lottery behind a gateway listens on the
 * loopback address, unless another address is set.
 */
public final class AuthenticationSettingsStartCheck
        implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    static final String ISSUER = "lottery.auth.issuer";

    private static final String MODE = "lottery.auth";
    private static final String IDENTITY = "lottery.identity";

    /** The setting for the key of the lottery's own tokens, 32 bytes in Base64. */
    private static final String TOKEN_KEY = "lottery.identity.token-key";

    private static final int TOKEN_KEY_BYTES = 32;

    private static final String ADDRESS = "lottery.address";
    private static final String FORWARDED = "server.forward-headers-strategy";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String SERVERS_INSIDE = "lottery.embedded.EmbeddedServers";
    private static final String ACCOUNTS = "lottery.identity.IdentityAutoConfiguration";

    private static final String REMEDY =
            "Set LOTTERY_AUTH_ISSUER to the issuer of the callers' tokens. Or set LOTTERY_IDENTITY to true: the lottery"
                    + " then has accounts of its own. Or set LOTTERY_AUTH to gateway, if a gateway before the lottery"
                    + " checks all callers.";

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        AuthenticationMode mode = mode(environment);
        boolean hasIssuer = StringUtils.hasText(environment.getProperty(ISSUER));
        boolean hasAccounts = hasAccounts(environment);
        if (hasAccounts && mode == AuthenticationMode.GATEWAY) {
            throw new CannotStartException(
                    "LOTTERY_IDENTITY is true, and LOTTERY_AUTH is gateway.", "Remove one of the two settings.");
        }
        if (hasAccounts && !ClassUtils.isPresent(ACCOUNTS, null)) {
            throw new CannotStartException(
                    "LOTTERY_IDENTITY is true, and this lottery was built without the module identity.",
                    "Remove the setting, or build the lottery with the module.");
        }
        if (mode == AuthenticationMode.ISSUER && !hasIssuer && !hasAccounts) {
            throw new CannotStartException(
                    "LOTTERY_AUTH_ISSUER is not set, so the issuer of the callers' tokens is unknown.", REMEDY);
        }
        if (mode != AuthenticationMode.ISSUER && hasIssuer) {
            throw new CannotStartException(
                    "LOTTERY_AUTH_ISSUER is set, and LOTTERY_AUTH is %s.".formatted(word(mode)),
                    "Remove one of the two settings.");
        }
        if (mode == AuthenticationMode.DEMO && !ClassUtils.isPresent(SERVERS_INSIDE, null)) {
            throw new CannotStartException(
                    "LOTTERY_AUTH is demo, which is allowed only with embedded servers.", REMEDY);
        }
        requireKnownForwarding(environment);
        String asked = environment.getProperty(ADDRESS, "");
        String address = StringUtils.hasText(asked) || mode == AuthenticationMode.ISSUER ? asked : LOOPBACK;
        if (StringUtils.hasText(address)) {
            environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource(ADDRESS, Map.of("server.address", address)));
        }
    }

    /**
     * Refuses all values of the setting for proxies except {@code none} and {@code native}. Spring has one more value.
     * With that value, Spring trusts the headers of every caller, even about the port.
     */
    private static void requireKnownForwarding(Environment environment) {
        String forwarded = environment.getProperty(FORWARDED, "");
        if (!Set.of("", "none", "native").contains(forwarded)) {
            throw new CannotStartException(
                    "LOTTERY_FORWARDED is '%s', which is not native or none.".formatted(forwarded),
                    "Set it to native behind a proxy, or to none.");
        }
    }

    /** Returns whether callers are demo callers, whose password is the name. */
    public static boolean isDemo(Environment environment) {
        return mode(environment) == AuthenticationMode.DEMO;
    }

    static boolean hasAccounts(Environment environment) {
        return environment.getProperty(IDENTITY, Boolean.class, false);
    }

    /** Returns the key for tokens that the lottery issues itself; null: it issues none. */
    public static @Nullable SecretKey tokenKey(Environment environment) {
        String text = environment.getProperty(TOKEN_KEY, "");
        if (!StringUtils.hasText(text) || !hasAccounts(environment)) {
            return null;
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException noBase64) {
            bytes = new byte[0];
        }
        if (bytes.length != TOKEN_KEY_BYTES) {
            throw new CannotStartException(
                    "LOTTERY_IDENTITY_TOKEN_KEY is not 32 bytes in Base64.", "Make one: openssl rand -base64 32");
        }
        return new SecretKeySpec(bytes, "HmacSHA256");
    }

    static AuthenticationMode mode(Environment environment) {
        String word = environment.getProperty(MODE, word(AuthenticationMode.ISSUER));
        Optional<AuthenticationMode> mode = Stream.of(AuthenticationMode.values())
                .filter(each -> word(each).equals(word))
                .findFirst();
        return mode.orElseThrow(() -> new CannotStartException(
                "LOTTERY_AUTH is '%s', which is not issuer, gateway or demo.".formatted(word), REMEDY));
    }

    private static String word(AuthenticationMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}
