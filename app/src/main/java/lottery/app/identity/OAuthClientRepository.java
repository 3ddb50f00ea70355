package lottery.app.identity;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;

/** Lets each account be a client of OAuth 2, which gets tokens for itself. */
final class OAuthClientRepository implements RegisteredClientRepository {

    private static final String VERSION = "version";

    private final AccountDirectory directory;

    OAuthClientRepository(AccountDirectory directory) {
        this.directory = directory;
    }

    static int versionOf(RegisteredClient client) {
        return Objects.requireNonNull(client.getClientSettings().<Integer>getSetting(VERSION));
    }

    static RegisteredClient of(LoginAccount account) {
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
    public @Nullable RegisteredClient findById(String id) {
        return findByClientId(id);
    }

    @Override
    public @Nullable RegisteredClient findByClientId(String clientId) {
        return directory.find(clientId).map(OAuthClientRepository::of).orElse(null);
    }

    @Override
    public void save(RegisteredClient client) {
        throw new UnsupportedOperationException("accounts are given by administrators");
    }
}
