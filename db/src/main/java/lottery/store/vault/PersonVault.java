package lottery.store.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.store.log.Logs;

/**
 * Encrypts texts about a person in the log, with a key of that person. The keys are in a table of the log of that
 * person, sealed under a master key. To forget a person, the row with the key is deleted. Then the texts cannot be read
 * any more, and the log does not change.
 *
 * <p>It keeps no key in memory, so an erasure takes effect in all processes at once. Each call reads one row. It is
 * thread-safe.
 */
public final class PersonVault implements PersonalTexts {

    private static final int KEY_BYTES = 32;
    private static final int KEY_ID_BYTES = 8;

    private final Logs logs;
    private final SecretCipher masterKeys;
    private final SecureRandom random;
    private final PhoneDirectory phones;

    public PersonVault(Logs logs, SecretCipher masterKeys, SecureRandom random, PhoneDirectory phones) {
        this.phones = phones;
        this.logs = logs;
        this.masterKeys = masterKeys;
        this.random = random;
    }

    private record PersonKey(String id, String sealed, String masterKey) {}

    /**
     * Encrypts a text. If two processes create a key for one person at the same time, both use the same key. A key that
     * an older master key has sealed is sealed again with the current one.
     */
    @Override
    public String seal(String person, String place, String text) {
        PersonKey key = find(person).orElseGet(() -> create(person));
        byte[] bytes = bytesOf(person, key);
        if (!key.masterKey().equals(masterKeys.currentKey())) {
            move(person, key.id(), bytes);
        }
        return vaultOf(key, bytes).seal(text.getBytes(UTF_8), nameOf(person, place), random);
    }

    private void move(String person, String keyId, byte[] bytes) {
        logs.ofPerson(person)
                .sql()
                .sql("""
                        UPDATE person_key SET sealed_key = :sealed, master_key = :masterKey
                        WHERE user_id = :person AND key_id = :keyId""")
                .param("sealed", masterKeys.seal(bytes, nameOf(person, keyId), random))
                .param("masterKey", masterKeys.currentKey())
                .param("person", person)
                .param("keyId", keyId)
                .update();
    }

    @Override
    public Optional<String> open(String person, String place, String sealed) {
        return find(person)
                .filter(key -> sealed.startsWith(key.id() + ":"))
                .map(key -> new String(vaultOf(key, bytesOf(person, key)).open(sealed, nameOf(person, place)), UTF_8));
    }

    @Override
    public Optional<String> keyOf(String person) {
        return find(person).map(PersonKey::id).or(() -> phones.keyOf(person));
    }

    @Override
    public Optional<String> phoneOf(String person) {
        return phones.phoneOf(person);
    }

    /** A phone that the person got after the erasure stays, too. */
    @Override
    public void erase(String person, String keyId) {
        if (keyOf(person).filter(keyId::equals).isPresent()) {
            phones.erase(person);
        }
        logs.ofPerson(person)
                .sql()
                .sql("DELETE FROM person_key WHERE user_id = :person AND key_id = :keyId")
                .param("person", person)
                .param("keyId", keyId)
                .update();
    }

    /** Returns the column of the keys. With it all keys can be sealed again with the current master key. */
    public SealedColumnResealer sealedKeys() {
        return new SealedColumnResealer(
                "person_key",
                List.of("user_id"),
                "sealed_key",
                "master_key",
                (row, _) -> nameOf(row.getString("user_id"), row.getString("key_id")),
                masterKeys,
                random);
    }

    private Optional<PersonKey> find(String person) {
        return logs.ofPerson(person)
                .sql()
                .sql("SELECT key_id, sealed_key, master_key FROM person_key WHERE user_id = :person")
                .param("person", person)
                .query((row, _) -> new PersonKey(
                        row.getString("key_id"), row.getString("sealed_key"), row.getString("master_key")))
                .optional();
    }

    private PersonKey create(String person) {
        String id = HexFormat.of().formatHex(fresh(KEY_ID_BYTES));
        logs.ofPerson(person)
                .sql()
                .sql("""
                        INSERT INTO person_key (user_id, key_id, sealed_key, master_key)
                        VALUES (:person, :keyId, :sealed, :masterKey) ON CONFLICT DO NOTHING""")
                .param("person", person)
                .param("keyId", id)
                .param("sealed", masterKeys.seal(fresh(KEY_BYTES), nameOf(person, id), random))
                .param("masterKey", masterKeys.currentKey())
                .update();
        // Another process may have created a key first, and that key may even be erased again.
        return find(person)
                .orElseThrow(() -> new SecretUnavailableException("the key of a person was erased at this moment"));
    }

    private byte[] bytesOf(String person, PersonKey key) {
        return masterKeys.open(key.sealed(), nameOf(person, key.id()));
    }

    private static SecretCipher vaultOf(PersonKey key, byte[] bytes) {
        return SecretCipher.of(
                "person_key", Map.of(key.id(), Base64.getEncoder().encodeToString(bytes)), key.id());
    }

    private byte[] fresh(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /**
     * Returns the name of a secret. It begins with the length of {@code person}. Without the length, two different
     * pairs of person and place could have the same name. The length is appended without a formatter, because a
     * formatter would use the digits of the default locale.
     */
    private static String nameOf(String person, String place) {
        return person.length() + ":" + person + "/" + place;
    }
}
