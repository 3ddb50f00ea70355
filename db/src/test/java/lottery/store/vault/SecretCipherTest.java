package lottery.store.vault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A vault that also opens secrets of an older vault")
class SecretCipherTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String NAME = "code:1";
    private static final byte[] SECRET = "SEAT-1".getBytes(UTF_8);

    private final SecretCipher own = SecretCipher.of("LOTTERY_CODES", Map.of("k1", key(4), "k5", key(5)), "k1");

    private static String key(int each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) each);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String sealed(String key, int each) {
        return SecretCipher.of("LOTTERY_TEST", Map.of(key, key(each)), key).seal(SECRET, NAME, RANDOM);
    }

    @Test
    @DisplayName("seals with its current key.")
    void seals() {
        String sealed = own.seal(SECRET, NAME, RANDOM);
        assertThat(own.currentKey()).isEqualTo("k1");
        assertThat(sealed).startsWith("k1:");
        assertThat(own.open(sealed, NAME)).isEqualTo(SECRET);
    }

    @Test
    @DisplayName("opens with each of its keys, and says which it was.")
    void opens() {
        assertOpenedBy("k1 (LOTTERY_CODES)", sealed("k1", 4));
        assertOpenedBy("k5 (LOTTERY_CODES)", sealed("k5", 5));
    }

    private void assertOpenedBy(String label, String sealed) {
        SecretCipher.OpenedSecret opened = own.opened(sealed, NAME);
        assertThat(opened.secret()).isEqualTo(SECRET);
        assertThat(opened.label()).isEqualTo(label);
    }

    @Test
    @DisplayName("opens nothing for another place, and with no other key, and says what is missing.")
    void refused() {
        assertRefused(own, sealed("k1", 4), "code:2", "the key 'k1' does not open the secret of code:2");
        assertRefused(own, sealed("k1", 1), NAME, "the key 'k1' does not open the secret of code:1");
        assertRefused(own, sealed("k4", 4), NAME, "the key 'k4', and this process has no such key");
    }

    private static void assertRefused(SecretCipher vault, String sealed, String name, String why) {
        assertThatThrownBy(() -> vault.open(sealed, name))
                .isInstanceOf(SecretUnavailableException.class)
                .hasMessageContaining(why);
    }
}
