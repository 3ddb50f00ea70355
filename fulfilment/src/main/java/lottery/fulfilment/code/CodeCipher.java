package lottery.fulfilment.code;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import lottery.api.Sha256;
import lottery.api.award.CodePoolId;
import lottery.store.vault.SealedColumnResealer;
import lottery.store.vault.SecretCipher;

/**
 * Encrypts codes, and hashes them with a key so that an uploaded duplicate is recognised. Each pool has its own secret
 * hash key, so that codes are still recognised after a change of the encryption keys.
 */
public final class CodeCipher {

    private static final int KEY_BYTES = 32;

    private final SecretCipher vault;
    private final SecureRandom random;

    CodeCipher(SecretCipher vault, SecureRandom random) {
        this.vault = vault;
        this.random = random;
    }

    /** @param sealed the encrypted code, which can be opened for this pool and hash only */
    record Sealed(String hash, String sealed) {}

    String freshHashKey(CodePoolId pool) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return vault.seal(key, pool.text(), random);
    }

    byte[] hashKey(CodePoolId pool, String sealedKey) {
        return vault.open(sealedKey, pool.text());
    }

    Sealed seal(CodePoolId pool, byte[] hashKey, String code) {
        byte[] bytes = code.getBytes(UTF_8);
        String hash = hash(hashKey, bytes);
        return new Sealed(hash, vault.seal(bytes, nameOf(pool, hash), random));
    }

    String open(CodePoolId pool, Sealed code) {
        return new String(vault.open(code.sealed(), nameOf(pool, code.hash())), UTF_8);
    }

    /** Returns all columns that have codes, and those that have the keys of their hashes. */
    public List<SealedColumnResealer> sealedColumns() {
        return List.of(
                new SealedColumnResealer(
                        "code_pool",
                        List.of("activity_id", "award_id"),
                        "hash_key",
                        null,
                        (row, _) -> CodePoolTable.idIn(row).text(),
                        vault,
                        random),
                new SealedColumnResealer(
                        "pool_code",
                        List.of("activity_id", "award_id", "place"),
                        "sealed",
                        null,
                        (row, _) -> nameOf(CodePoolTable.idIn(row), row.getString("hash")),
                        vault,
                        random));
    }

    private static String nameOf(CodePoolId pool, String hash) {
        return pool.text() + "/" + hash;
    }

    private static String hash(byte[] key, byte[] code) {
        return HexFormat.of().formatHex(Sha256.hmac(key).doFinal(code));
    }
}
