package lottery.identity;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.security.CannotStartException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;

/**
 * The applications whose users may log in here, by their names in the settings. With PKCE, an application proves that
 * it has requested the code that it presents. Systems that request tokens for themselves have accounts and are not in
 * this repository.
 */
final class ConfiguredOAuthClientRepository implements RegisteredClientRepository {

    private static final String SETTINGS = "lottery.identity.clients";

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]");

    private final Map<String, RegisteredClient> clients;

    ConfiguredOAuthClientRepository(Environment environment) {
        Map<String, String> addresses = Binder.get(environment)
                .bind(SETTINGS, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of());
        clients = addresses.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, each -> application(each.getKey(), each.getValue())));
    }

    private static RegisteredClient application(String name, String addresses) {
        List<String> redirects =
                Arrays.stream(addresses.split(",", -1)).map(String::strip).toList();
        if (!redirects.stream().allMatch(ConfiguredOAuthClientRepository::isAddress)) {
            throw new CannotStartException(
                    "The addresses of the application '%s' cannot be used: %s".formatted(name, addresses),
                    "Set LOTTERY_IDENTITY_CLIENTS_<NAME> to the addresses to which browsers return after the login, such as"
                            + " https://app.example/back.");
        }
        return RegisteredClient.withId(name)
                .clientId(name)
                .clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUris(all -> all.addAll(redirects))
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .tokenSettings(TokenSettings.builder()
                        .accessTokenTimeToLive(ServiceTokenConfiguration.TOKEN_LASTS)
                        .authorizationCodeTimeToLive(RedisAuthorizationCodeRepository.CODE_LASTS)
                        .build())
                .build();
    }

    /**
     * Returns whether a text is a valid redirect address. Plain HTTP is allowed only on the user's own machine, because
     * others on the network could read a code that is sent by plain HTTP.
     */
    private static boolean isAddress(String text) {
        try {
            URI address = new URI(text);
            boolean isReadByOthers = "http".equalsIgnoreCase(address.getScheme())
                    && !LOOPBACK.contains(Objects.requireNonNullElse(address.getHost(), ""));
            return address.isAbsolute() && address.getFragment() == null && !isReadByOthers;
        } catch (URISyntaxException noAddress) {
            return false;
        }
    }

    @Override
    public @Nullable RegisteredClient findById(String id) {
        return findByClientId(id);
    }

    @Override
    public @Nullable RegisteredClient findByClientId(String clientId) {
        return clients.get(clientId);
    }

    @Override
    public void save(RegisteredClient client) {
        throw new UnsupportedOperationException("applications are settings");
    }
}
