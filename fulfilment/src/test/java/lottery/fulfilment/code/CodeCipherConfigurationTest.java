package lottery.fulfilment.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.function.Consumer;
import lottery.api.activity.ActivityId;
import lottery.store.vault.KeysRefusedException;
import lottery.store.vault.SecretCipher;
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

    private static SecretCipher seedKeys(int each) {
        return SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", key(each)), "k1");
    }

    private static ApplicationContextRunner withSeedKey(int each) {
        return new ApplicationContextRunner()
                .withBean(SecureRandom.class, SecureRandom::new)
                .withBean(SecretCipher.class, () -> seedKeys(each))
                .withUserConfiguration(CodeCipherConfiguration.class);
    }

    private static void use(int seedKey, Consumer<CodeCipher> user) {
        withSeedKey(seedKey)
                .withPropertyValues(CODES, CURRENT)
                .run(running -> user.accept(running.getBean(CodeCipher.class)));
    }

    @Test
    @DisplayName("They are required, with a name of the current one, and are not shown.")
    void required() {
        withSeedKey(1)
                .run(running -> assertThat(running.getStartupFailure())
                        .rootCause()
                        .isInstanceOfSatisfying(
                                KeysRefusedException.class,
                                refused -> assertThat(refused.settings()).isEqualTo("LOTTERY_CODES")));
        withSeedKey(1)
                .withPropertyValues(CODES)
                .run(running -> assertThat(running.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("No setting names the key"));
        assertThat(new CodeKeySettings(Map.of("k1", key(2)), "k1").toString())
                .contains("k1")
                .doesNotContain(key(2));
    }

    @Test
    @DisplayName("They seal codes, which open without the keys of seeds, and by no key of seeds with the same name.")
    void seal() {
        use(1, vault -> {
            byte[] hashKey = vault.hashKey(POOL, vault.freshHashKey(POOL));
            CodeCipher.Sealed code = vault.seal(POOL, hashKey, "SEAT-1");
            assertThat(code.sealed()).startsWith("k1:");
            use(9, other -> assertThat(other.open(POOL, code)).isEqualTo("SEAT-1"));
            CodeCipher ofSeeds = new CodeCipher(seedKeys(1), new SecureRandom());
            assertThatThrownBy(() -> ofSeeds.open(POOL, code)).isInstanceOf(SecretUnavailableException.class);
        });
    }

    @Test
    @DisplayName("An earlier version opens the codes of a new key that it has among the keys of seeds.")
    void inEarlierVersion() {
        SecretCipher both = SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", key(1), "c1", key(2)), "k1");
        CodeCipher earlier = new CodeCipher(both, new SecureRandom());
        withSeedKey(1)
                .withPropertyValues("lottery.codes.keys.c1=" + key(2), "lottery.codes.current-key=c1")
                .run(running -> {
                    CodeCipher vault = running.getBean(CodeCipher.class);
                    String hashKey = vault.freshHashKey(POOL);
                    CodeCipher.Sealed code = vault.seal(POOL, vault.hashKey(POOL, hashKey), "SEAT-1");
                    assertThat(earlier.open(POOL, code)).isEqualTo("SEAT-1");
                    assertThat(earlier.hashKey(POOL, hashKey)).isEqualTo(vault.hashKey(POOL, hashKey));
                });
    }

    @Test
    @DisplayName("Codes that a key of seeds has sealed open with that key, and are refused without it.")
    void ofSeeds() {
        CodeCipher before = new CodeCipher(seedKeys(1), new SecureRandom());
        String hashKey = before.freshHashKey(POOL);
        CodeCipher.Sealed code = before.seal(POOL, before.hashKey(POOL, hashKey), "SEAT-1");
        use(1, vault -> {
            assertThat(vault.open(POOL, code)).isEqualTo("SEAT-1");
            assertThat(vault.hashKey(POOL, hashKey)).isEqualTo(before.hashKey(POOL, hashKey));
        });
        use(9, vault -> {
            assertThatThrownBy(() -> vault.open(POOL, code))
                    .isInstanceOf(SecretUnavailableException.class)
                    .hasMessageContaining("the key 'k1' does not open the secret of codes:100/1");
        });
    }
}
