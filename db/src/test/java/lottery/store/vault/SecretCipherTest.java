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

    private final SecretCipher older = SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", key(1), "k2", key(2)), "k1");
    private final SecretCipher own = SecretCipher.of("LOTTERY_CODES", Map.of("k1", key(4), "k5", key(5)), "k1");
    private final SecretCipher both = own.alsoOpening(older);

    private static String key(int each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) each);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String sealed(String key, int each) {
        return SecretCipher.of("LOTTERY_TEST", Map.of(key, key(each)), key).seal(SECRET, NAME, RANDOM);
    }

    @Test
    @DisplayName("seals with its own current key alone, and the older vault does not open that.")
    void seals() {
        String sealed = both.seal(SECRET, NAME, RANDOM);
        assertThat(both.currentKey()).isEqualTo("k1");
        assertThat(own.open(sealed, NAME)).isEqualTo(SECRET);
        assertThatThrownBy(() -> older.open(sealed, NAME)).isInstanceOf(SecretUnavailableException.class);
    }

    @Test
    @DisplayName("opens with a key of either, also where both have one of that name, and says which it was.")
    void opens() {
        assertOpenedBy("k1 (LOTTERY_CODES)", sealed("k1", 4));
        assertOpenedBy("k5 (LOTTERY_CODES)", sealed("k5", 5));
        assertOpenedBy("k1 (LOTTERY_SEEDS)", sealed("k1", 1));
        assertOpenedBy("k2 (LOTTERY_SEEDS)", sealed("k2", 2));
        assertThatThrownBy(() -> own.open(sealed("k1", 1), NAME)).isInstanceOf(SecretUnavailableException.class);
    }

    private void assertOpenedBy(String label, String sealed) {
        SecretCipher.OpenedSecret opened = both.opened(sealed, NAME);
        assertThat(opened.secret()).isEqualTo(SECRET);
        assertThat(opened.label()).isEqualTo(label);
    }

    @Test
    @DisplayName("opens nothing for another place, and with no other key, and says what is missing.")
    void refused() {
        String sealed = sealed("k1", 1);
        assertRefused(both, sealed, "code:2", "the key 'k1' does not open the secret of code:2");
        SecretCipher wrong = SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", key(9)), "k1");
        assertRefused(own.alsoOpening(wrong), sealed, NAME, "the key 'k1' does not open the secret of code:1");
        assertRefused(both, sealed("k4", 4), NAME, "the key 'k4', and this process has no such key");
    }

    private static void assertRefused(SecretCipher vault, String sealed, String name, String why) {
        assertThatThrownBy(() -> vault.open(sealed, name))
                .isInstanceOf(SecretUnavailableException.class)
                .hasMessageContaining(why);
    }
}
