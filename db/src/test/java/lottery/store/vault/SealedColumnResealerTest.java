package lottery.store.vault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.store.TestStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.PlatformTransactionManager;

@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
@DisplayName("A column of sealed secrets")
class SealedColumnResealerTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PAGE = 500;
    private static final String SETTINGS = "LOTTERY_LOCKERS";
    private static final String K1 = "k1 (LOTTERY_LOCKERS)";
    private static final String K2 = "k2 (LOTTERY_LOCKERS)";
    private static final SecretCipher OLD = SecretCipher.of(SETTINGS, Map.of("k1", key(1)), "k1");
    private static final SecretCipher BOTH = SecretCipher.of(SETTINGS, Map.of("k1", key(1), "k2", key(2)), "k2");
    private static final SecretCipher NEW = SecretCipher.of(SETTINGS, Map.of("k2", key(2)), "k2");

    @Autowired
    private JdbcOperations database;

    @Autowired
    private PlatformTransactionManager transactions;

    private static String key(int each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) each);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @BeforeEach
    void empty() {
        database.update("DELETE FROM locker");
    }

    private SealedColumnResealer column(SecretCipher cipher, SecureRandom random) {
        return new SealedColumnResealer(
                "locker",
                List.of("town", "number"),
                "sealed",
                "key_name",
                (row, _) -> row.getString("town") + row.getLong("number"),
                cipher,
                random);
    }

    /** Adds this many secrets in each of two towns, each of which is the name of its place. */
    private void fill(SecretCipher cipher, int count) {
        fillTown(cipher, "Riga", count);
        fillTown(cipher, "Rome", count);
    }

    private void fillTown(SecretCipher cipher, String town, int count) {
        List<Object[]> rows = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            rows.add(row(cipher, town, number));
        }
        database.batchUpdate("INSERT INTO locker VALUES (?, ?, ?, ?)", rows);
    }

    private static Object[] row(SecretCipher cipher, String town, int number) {
        String name = town + number;
        return new Object[] {town, number, cipher.seal(name.getBytes(UTF_8), name, RANDOM), cipher.currentKey()};
    }

    private void requireAllOpenWith(SecretCipher cipher) {
        database.query("SELECT * FROM locker", row -> {
            String name = row.getString("town") + row.getLong("number");
            assertThat(new String(cipher.open(row.getString("sealed"), name), UTF_8))
                    .isEqualTo(name);
            assertThat(row.getString("sealed")).startsWith(row.getString("key_name") + ":");
        });
    }

    @Test
    @DisplayName("is sealed again with the current key, page by page, and then needs no other one.")
    void resealed() {
        fill(OLD, 620);
        database.batchUpdate(
                "INSERT INTO locker VALUES (?, ?, ?, ?)",
                List.<Object[]>of(row(NEW, "Oslo", 1), row(NEW, "Rome", 700)));
        SealedColumnResealer column = column(BOTH, RANDOM);
        assertThat(column.countByKey(database).opened()).containsExactly(Map.entry(K1, 1240L), Map.entry(K2, 2L));

        List<Long> progress = new ArrayList<>();
        column.reseal(database, transactions, progress::add);

        assertThat(progress).as("the secret of Oslo is new already").containsExactly(499L, 999L, 1240L);
        assertThat(column.countByKey(database).opened()).containsExactly(Map.entry(K2, 1242L));
        requireAllOpenWith(NEW);
    }

    @Test
    @DisplayName("is not written again where the current key has sealed it.")
    void repeated() {
        fill(OLD, 3);
        SealedColumnResealer column = column(BOTH, RANDOM);
        column.reseal(database, transactions, _ -> {});
        List<Map<String, @Nullable Object>> before = database.queryForList("SELECT * FROM locker ORDER BY 1, 2");
        column.reseal(database, transactions, resealed -> assertThat(resealed).isZero());
        assertThat(database.queryForList("SELECT * FROM locker ORDER BY 1, 2")).isEqualTo(before);
    }

    @Test
    @DisplayName("keeps whole pages when the work ends in the middle of one, and the next time does the rest.")
    void crashed() {
        fill(OLD, 600);
        AtomicInteger left = new AtomicInteger(PAGE + 77);
        SecureRandom ending = hooked(() -> {
            if (left.decrementAndGet() < 0) {
                throw new IllegalStateException("the process ends");
            }
        });
        assertThatThrownBy(() -> column(BOTH, ending).reseal(database, transactions, _ -> {}))
                .hasMessage("the process ends");
        SealedColumnResealer column = column(BOTH, RANDOM);
        assertThat(column.countByKey(database).opened()).containsExactly(Map.entry(K1, 700L), Map.entry(K2, 500L));
        requireAllOpenWith(BOTH);

        column.reseal(database, transactions, _ -> {});
        assertThat(column.countByKey(database).opened()).containsExactly(Map.entry(K2, 1200L));
        requireAllOpenWith(NEW);
    }

    @Test
    @DisplayName("keeps secrets that do not open, counts them apart, and goes on with all others.")
    void lost() {
        fill(OLD, 4);
        SecretCipher foreign = SecretCipher.of(SETTINGS, Map.of("k0", key(0)), "k0");
        database.batchUpdate("INSERT INTO locker VALUES (?, ?, ?, ?)", List.<Object[]>of(row(foreign, "Oslo", 1)));
        database.update("UPDATE locker SET sealed = 'k1:AAAA' WHERE town = 'Riga' AND number = 0");
        database.update("UPDATE locker SET sealed = 'nothing' WHERE town = 'Riga' AND number = 1");
        database.update("UPDATE locker SET sealed = 'k2:AAAA' WHERE town = 'Riga' AND number = 2");
        database.update("UPDATE locker SET sealed = '\nk1: opened:AAAA' WHERE town = 'Riga' AND number = 3");

        SealedColumnResealer column = column(BOTH, RANDOM);
        SealedColumnResealer.KeyCounts before = column.countByKey(database);
        assertThat(before.opened()).containsExactly(Map.entry(K1, 4L));

        column.reseal(database, transactions, resealed -> assertThat(resealed).isEqualTo(4));

        SealedColumnResealer.KeyCounts after = column.countByKey(database);
        assertThat(after.opened()).containsExactly(Map.entry(K2, 4L));
        assertThat(after.unopened())
                .isEqualTo(before.unopened())
                .containsExactly(Map.entry("", 2L), Map.entry("k0", 1L), Map.entry("k1", 1L), Map.entry("k2", 1L));
    }

    @Test
    @DisplayName("stays as another process leaves it that changes or deletes a row meanwhile.")
    void changedMeanwhile() {
        fill(OLD, 2);
        Object[] changed = row(OLD, "Riga", 1);
        AtomicInteger seals = new AtomicInteger();
        SecureRandom meanwhile = hooked(() -> {
            if (seals.getAndIncrement() == 0) {
                database.update("DELETE FROM locker WHERE town = 'Riga' AND number = 0");
                database.update("UPDATE locker SET sealed = ? WHERE town = 'Riga' AND number = 1", changed[2]);
            }
        });
        SealedColumnResealer column = column(BOTH, meanwhile);
        column.reseal(database, transactions, resealed -> assertThat(resealed).isEqualTo(2));
        assertThat(seals).hasValue(4);
        assertThat(database.queryForList("SELECT sealed FROM locker WHERE town = 'Riga'", String.class))
                .containsExactly((String) changed[2]);
        assertThat(column.countByKey(database).opened()).containsExactly(Map.entry(K1, 1L), Map.entry(K2, 2L));
    }

    /** Returns a source of random bytes that does something before each nonce. */
    private static SecureRandom hooked(Runnable before) {
        return new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                before.run();
                super.nextBytes(bytes);
            }
        };
    }
}
