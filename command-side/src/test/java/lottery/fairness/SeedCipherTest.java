package lottery.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import lottery.api.activity.ActivityId;
import lottery.store.vault.KeysRefusedException;
import lottery.store.vault.SecretCipher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The vault of seeds")
class SeedCipherTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final String OLD = key((byte) 1);
    private static final String NEW = key((byte) 2);

    private final SecureRandom random = new SecureRandom();
    private final Seed seed = Seed.fresh(random);
    private final SeedCipher vault = new SeedCipher(SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", OLD), "k1"));

    private static String key(byte each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, each);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private String sealed() {
        return vault.seal(seed, ACTIVITY, 1, random);
    }

    private SeedRound round(ActivityId activityId, int number, String sealedSeed, @Nullable String published) {
        return new SeedRound(activityId, number, seed.commitment(), sealedSeed, published);
    }

    private SeedRound round(String sealedSeed) {
        return round(ACTIVITY, 1, sealedSeed, null);
    }

    @Test
    @DisplayName("The vault opens the seed that it has sealed.")
    void roundTrip() {
        assertThat(vault.open(round(sealed())).reveal()).isEqualTo(seed.reveal());
    }

    @Test
    @DisplayName("The vault never writes the seed itself, never writes the same text twice, and names the key.")
    void sealedText() {
        String text = sealed();
        assertThat(text).startsWith("k1:").isNotEqualTo(sealed());
        byte[] sealed = Base64.getDecoder().decode(text.substring(3));
        assertThat(sealed).hasSize(12 + 32 + 16);
        assertThat(HexFormat.of().formatHex(sealed)).doesNotContain(seed.reveal());
    }

    @Test
    @DisplayName("The vault opens a seed for its own activity and round only.")
    void bound() {
        String text = sealed();
        assertThatThrownBy(() -> vault.open(round(new ActivityId(101), 1, text, null)))
                .isInstanceOf(SeedUnavailableException.class);
        assertThatThrownBy(() -> vault.open(round(ACTIVITY, 2, text, null)))
                .isInstanceOf(SeedUnavailableException.class);
    }

    @Test
    @DisplayName("The vault opens nothing in which a single bit was changed.")
    void tampered() {
        byte[] sealed = Base64.getDecoder().decode(sealed().substring(3));
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            String text = "k1:" + Base64.getEncoder().encodeToString(changed);
            assertThatThrownBy(() -> vault.open(round(text))).isInstanceOf(SeedUnavailableException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k1", "k1:", "k1:AAAA", "k1:%%", "k9:AAAA"})
    @DisplayName("The vault reports a text that is no sealed seed.")
    void rubbish(String text) {
        assertThatThrownBy(() -> vault.open(round(text)))
                .isInstanceOf(SeedUnavailableException.class)
                .hasMessageContaining("activity:100#1");
    }

    @Test
    @DisplayName("The vault opens a seed of an older key as long as it has that key.")
    void rotation() {
        String text = sealed();
        SeedCipher rotated = new SeedCipher(SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", OLD, "k2", NEW), "k2"));
        assertThat(rotated.open(round(text)).reveal()).isEqualTo(seed.reveal());
        assertThat(rotated.seal(seed, ACTIVITY, 1, random)).startsWith("k2:");

        SeedCipher without = new SeedCipher(SecretCipher.of("LOTTERY_SEEDS", Map.of("k2", NEW), "k2"));
        assertThatThrownBy(() -> without.open(round(text)))
                .isInstanceOf(SeedUnavailableException.class)
                .hasMessageContaining("'k1'");
        SeedCipher another = new SeedCipher(SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", NEW), "k1"));
        assertThatThrownBy(() -> another.open(round(text))).isInstanceOf(SeedUnavailableException.class);
    }

    @Nested
    @DisplayName("Invalid settings of the vault")
    class Misconfigured {

        @Test
        @DisplayName("A vault needs a key, a name that has a key, and keys of 32 bytes in Base64.")
        void refused() {
            assertRefused(Map.of(), "k1", "No key is set");
            assertRefused(Map.of("k1", OLD), "", "No setting names the key");
            assertRefused(Map.of("k1", OLD), "k2", "'k2'");
            assertRefused(Map.of("k1", "AAAA"), "k1", "3 bytes, not 32");
            assertRefused(Map.of("k1", ""), "k1", "0 bytes, not 32");
            assertRefused(Map.of("k1", "%%"), "k1", "not Base64");
            assertRefused(Map.of("k1:", OLD), "k1:", "letters and digits");
        }

        private static void assertRefused(Map<String, String> keys, String current, String why) {
            assertThatThrownBy(() -> SecretCipher.of("LOTTERY_SEEDS", keys, current))
                    .isInstanceOf(KeysRefusedException.class)
                    .hasMessageContaining(why)
                    .satisfies(refused -> assertThat(String.valueOf(refused.getMessage()))
                            .doesNotContain(OLD)
                            .endsWith("."));
        }
    }

    @Nested
    @DisplayName("The cache of opened seeds")
    class AtHand {

        private final SeedCache seeds = new SeedCache(vault);

        @Test
        @DisplayName("A seed is opened once.")
        void once() {
            SeedRound round = round(sealed());
            assertThat(seeds.of(round).reveal()).isEqualTo(seed.reveal());
            assertThat(seeds.of(round)).isSameAs(seeds.of(round));
        }

        @Test
        @DisplayName("A published seed needs no key.")
        void published() {
            SeedRound round = round(ACTIVITY, 1, "gone:AAAA", seed.reveal());
            assertThat(seeds.of(round).reveal()).isEqualTo(seed.reveal());
        }

        @Test
        @DisplayName("A seed that does not match its commitment is refused.")
        void committedTo() {
            String other = Seed.fresh(random).reveal();
            assertThatThrownBy(() -> seeds.of(round(ACTIVITY, 1, "gone:AAAA", other)))
                    .isInstanceOf(SeedUnavailableException.class);
        }
    }
}
