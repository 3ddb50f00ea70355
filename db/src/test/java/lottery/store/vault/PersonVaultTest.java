package lottery.store.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import lottery.store.TestStore;
import lottery.store.log.Logs;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
@DisplayName("The vault of persons")
class PersonVaultTest {

    private static final String PLACE = "award:1";
    private static final String TEXT = "1 High Street";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String ann = "ann-" + UUID.randomUUID();

    @Autowired
    private JdbcClient database;

    @Autowired
    private JdbcOperations tables;

    @Autowired
    private PlatformTransactionManager transactions;

    @Autowired
    private Logs logs;

    private PersonVault vault(Map<String, String> keys, String current) {
        return new PersonVault(logs, SecretCipher.of("LOTTERY_PERSONS", keys, current), RANDOM, PhoneDirectory.NONE);
    }

    private PersonVault vault() {
        return vault(Map.of("k1", key(1)), "k1");
    }

    private static String key(int each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) each);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    @DisplayName("opens in any process what it has sealed, under one key for a person, and never writes it.")
    void roundTrip() {
        String sealed = vault().seal(ann, PLACE, TEXT);
        assertThat(vault().open(ann, PLACE, sealed)).contains(TEXT);
        assertThat(vault().open(ann, "award:2", vault().seal(ann, "award:2", "äöü\n")))
                .contains("äöü\n");
        String keyId = vault().keyOf(ann).orElseThrow();
        assertThat(sealed).startsWith(keyId + ":").doesNotContain(TEXT).isNotEqualTo(vault().seal(ann, PLACE, TEXT));
        String key = database.sql("SELECT sealed_key FROM person_key WHERE user_id = :ann")
                .param("ann", ann)
                .query(String.class)
                .single();
        assertThat(key).startsWith("k1:");
    }

    @Test
    @DisplayName("opens a text for its own place and person only, and none in which a bit was changed.")
    void bound() {
        PersonVault vault = vault();
        String sealed = vault.seal(ann, PLACE, TEXT);
        assertThatThrownBy(() -> vault.open(ann, "award:2", sealed)).isInstanceOf(SecretUnavailableException.class);

        byte[] bytes = Base64.getDecoder().decode(sealed.substring(sealed.indexOf(':') + 1));
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            String text =
                    vault.keyOf(ann).orElseThrow() + ":" + Base64.getEncoder().encodeToString(changed);
            assertThatThrownBy(() -> vault.open(ann, PLACE, text)).isInstanceOf(SecretUnavailableException.class);
        }

        String bob = "bob-" + UUID.randomUUID();
        vault.seal(bob, PLACE, "elsewhere");
        assertThat(vault.open(bob, PLACE, sealed)).isEmpty();
        // The row of one person does not open for another one either.
        database.sql("""
                        UPDATE person_key SET (key_id, sealed_key) =
                            (SELECT key_id, sealed_key FROM person_key WHERE user_id = :ann) WHERE user_id = :bob""").param("ann", ann).param("bob", bob).update();
        assertThatThrownBy(() -> vault.open(bob, PLACE, sealed)).isInstanceOf(SecretUnavailableException.class);
    }

    @Test
    @DisplayName("opens nothing after an erasure, in any process, and makes another key for what comes later.")
    void erased() {
        PersonVault one = vault();
        PersonVault other = vault();
        String sealed = one.seal(ann, PLACE, TEXT);
        assertThat(other.open(ann, PLACE, sealed)).contains(TEXT);
        String keyId = one.keyOf(ann).orElseThrow();

        one.erase(ann, keyId);
        assertThat(other.open(ann, PLACE, sealed)).isEmpty();
        assertThat(other.keyOf(ann)).isEmpty();

        String later = other.seal(ann, PLACE, "2 High Street");
        assertThat(one.open(ann, PLACE, sealed)).isEmpty();
        assertThat(one.open(ann, PLACE, later)).contains("2 High Street");
        // An erasure that is repeated does not hit the later key.
        other.erase(ann, keyId);
        assertThat(one.open(ann, PLACE, later)).contains("2 High Street");
    }

    @Test
    @DisplayName("makes one key if two processes need one at once.")
    void raced() throws Exception {
        int at = 8;
        for (int round = 0; round < 20; round++) {
            String person = "carl-" + UUID.randomUUID();
            CyclicBarrier together = new CyclicBarrier(at);
            List<Future<String>> sealed = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(at)) {
                for (int i = 0; i < at; i++) {
                    PersonVault vault = vault();
                    sealed.add(threads.submit(() -> {
                        together.await(10, TimeUnit.SECONDS);
                        return vault.seal(person, PLACE, TEXT);
                    }));
                }
            }
            for (Future<String> each : sealed) {
                assertThat(vault().open(person, PLACE, each.resultNow())).contains(TEXT);
            }
        }
    }

    @Test
    @DisplayName("opens the key of an older master key as long as it has that one, and says so if it has not.")
    void rotation() {
        String sealed = vault().seal(ann, PLACE, TEXT);
        assertThat(vault(Map.of("k1", key(1), "k2", key(2)), "k2").open(ann, PLACE, sealed))
                .contains(TEXT);
        PersonVault without = vault(Map.of("k2", key(2)), "k2");
        assertThatThrownBy(() -> without.open(ann, PLACE, sealed))
                .isInstanceOf(SecretUnavailableException.class)
                .hasMessageContaining("'k1'");
        PersonVault another = vault(Map.of("k1", key(2)), "k1");
        assertThatThrownBy(() -> another.seal(ann, PLACE, TEXT)).isInstanceOf(SecretUnavailableException.class);
    }

    @Test
    @DisplayName("moves the key of a person to the current master key when it seals, so that the old one can go.")
    void moved() {
        String before = vault().seal(ann, PLACE, TEXT);
        String keyId = vault().keyOf(ann).orElseThrow();
        String after = vault(Map.of("k1", key(1), "k2", key(2)), "k2").seal(ann, PLACE, "2 High Street");
        PersonVault later = vault(Map.of("k2", key(2)), "k2");
        assertThat(later.open(ann, PLACE, before)).contains(TEXT);
        assertThat(later.open(ann, PLACE, after)).contains("2 High Street");
        assertThat(later.keyOf(ann)).contains(keyId);
        assertThat(database.sql("SELECT master_key FROM person_key WHERE user_id = :ann")
                        .param("ann", ann)
                        .query(String.class)
                        .single())
                .isEqualTo("k2");
    }

    @Test
    @DisplayName("moves all keys to the current master key at once, and none that was erased comes back.")
    void allMoved() {
        // Other tests have left keys that do not open.
        database.sql("DELETE FROM person_key").update();
        String bob = "bob-" + UUID.randomUUID();
        String sealed = vault().seal(ann, PLACE, TEXT);
        String erased = vault().seal(bob, PLACE, TEXT);
        PersonVault both = vault(Map.of("k1", key(1), "k2", key(2)), "k2");
        vault().erase(bob, vault().keyOf(bob).orElseThrow());

        both.sealedKeys().reseal(tables, transactions, _ -> {});

        SealedColumnResealer.KeyCounts counts = both.sealedKeys().countByKey(tables);
        assertThat(counts.opened()).containsOnlyKeys("k2 (LOTTERY_PERSONS)");
        assertThat(counts.unopened()).isEmpty();
        assertThat(database.sql("SELECT DISTINCT master_key FROM person_key")
                        .query(String.class)
                        .list())
                .containsExactly("k2");
        PersonVault later = vault(Map.of("k2", key(2)), "k2");
        assertThat(later.open(ann, PLACE, sealed)).contains(TEXT);
        assertThat(later.open(bob, PLACE, erased)).isEmpty();
    }

    @Test
    @DisplayName("opens in one locale what it has sealed in another one with other digits.")
    void digits() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-SA-u-nu-arab"));
        String sealed;
        try {
            sealed = vault().seal(ann, PLACE, TEXT);
        } finally {
            Locale.setDefault(before);
        }
        assertThat(vault().open(ann, PLACE, sealed)).contains(TEXT);
    }
}
