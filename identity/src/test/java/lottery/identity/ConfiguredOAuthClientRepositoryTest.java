package lottery.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import lottery.security.CannotStartException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;

@DisplayName("The applications in the settings")
class ConfiguredOAuthClientRepositoryTest {

    private static ConfiguredOAuthClientRepository with(String addresses) {
        return new ConfiguredOAuthClientRepository(
                new MockEnvironment().withProperty("lottery.identity.clients.app", addresses));
    }

    @Test
    @DisplayName("An application has the addresses of its setting, no secret, and needs a proof key.")
    void application() {
        RegisteredClient app = Objects.requireNonNull(
                with("https://app.example/back, app.example:/back").findByClientId("app"));
        assertThat(app.getRedirectUris()).containsExactlyInAnyOrder("https://app.example/back", "app.example:/back");
        assertThat(app.getClientAuthenticationMethods()).containsExactly(ClientAuthenticationMethod.NONE);
        assertThat(app.getAuthorizationGrantTypes()).containsExactly(AuthorizationGrantType.AUTHORIZATION_CODE);
        assertThat(app.getClientSettings().isRequireProofKey()).isTrue();
        assertThat(app.getClientSettings().isRequireAuthorizationConsent()).isFalse();
    }

    @Test
    @DisplayName("Without a setting there is no application.")
    void none() {
        assertThat(new ConfiguredOAuthClientRepository(new MockEnvironment()).findByClientId("app"))
                .isNull();
        assertThat(with("https://app.example/back").findByClientId("other")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "https://app.example/back,",
                "/back",
                "https://app.example/back#here",
                "https://app .example",
                "http://app.example/back",
                "http://localhost/back"
            })
    @DisplayName("Addresses that cannot be used are refused at the start, and the application is named.")
    void unusable(String addresses) {
        assertThatThrownBy(() -> with(addresses))
                .isInstanceOf(CannotStartException.class)
                .hasMessageContaining("'app'");
    }
}
