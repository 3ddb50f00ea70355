package lottery.fulfilment.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;
import lottery.api.activity.ActivityId;
import lottery.api.award.CodePoolId;
import lottery.store.vault.KeysRefusedException;
import lottery.store.vault.SecretUnavailableException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The keys for codes")
class CodeCipherConfigurationTest {

    private static final CodePoolId POOL = new CodePoolId(new ActivityId(100), 1);
    private static final String CODES = "lottery.codes.keys.k1=" + key(2);
    private static final String CURRENT = "lottery.codes.current-key=k1";

    private static String key(int each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) each);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withBean(SecureRandom.class, SecureRandom::new)
                .withUserConfiguration(CodeCipherConfiguration.class);
    }

    private static void use(int codeKey, Consumer<CodeCipher> user) {
        runner().withPropertyValues("lottery.codes.keys.k1=" + key(codeKey), CURRENT)
                .run(running -> user.accept(running.getBean(CodeCipher.class)));
    }

    @Test
    @DisplayName("They are required, with a name of the current one, and are not shown.")
    void required() {
        runner().run(running -> assertThat(running.getStartupFailure())
                .rootCause()
                .isInstanceOfSatisfying(
                        KeysRefusedException.class,
                        refused -> assertThat(refused.settings()).isEqualTo("LOTTERY_CODES")));
        runner().withPropertyValues(CODES)
                .run(running -> assertThat(running.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("No setting names the key"));
        runner().withPropertyValues(CODES, "lottery.codes.current-key=k2")
                .run(running -> assertThat(running.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("'k2'")
                        .message()
                        .doesNotContain(key(2)));
    }

    @Test
    @DisplayName("They seal codes, which open with the same key alone.")
    void seal() {
        use(2, vault -> {
            String hashKey = vault.freshHashKey(POOL);
            CodeCipher.Sealed code = vault.seal(POOL, vault.hashKey(POOL, hashKey), "SEAT-1");
            assertThat(code.sealed()).startsWith("k1:");
            use(2, same -> {
                assertThat(same.open(POOL, code)).isEqualTo("SEAT-1");
                assertThat(same.hashKey(POOL, hashKey)).isEqualTo(vault.hashKey(POOL, hashKey));
            });
            use(
                    9,
                    other -> assertThatThrownBy(() -> other.open(POOL, code))
                            .isInstanceOf(SecretUnavailableException.class)
                            .hasMessageContaining("the key 'k1' does not open the secret of codes:100/1"));
        });
    }
}
