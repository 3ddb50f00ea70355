package lottery.fairness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableMap;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import lottery.api.activity.ActivityId;

/**
 * Encrypts seeds for the store, so that who can read the store cannot foresee draws. A sealed seed names its key and
 * opens for its own round only: {@code <key>:<Base64 of nonce, seed and tag>}, by AES-256-GCM.
 */
public final class SeedVault {

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** An environment variable can say such a name, and a sealed seed can begin with it. */
    private static final String NAME = "[a-z0-9]{1,20}";

    private final Map<String, SecretKey> keys;
    private final String currentKey;

    private SeedVault(Map<String, SecretKey> keys, String currentKey) {
        this.keys = keys;
        this.currentKey = currentKey;
    }

    /**
     * The vault with these keys.
     *
     * @throws SeedKeysRefused with a sentence that shows no key
     */
    public static SeedVault of(Map<String, String> keys, String currentKey) {
        if (keys.isEmpty()) {
            throw new SeedKeysRefused("There is no key for the seeds of draws.");
        }
        Map<String, SecretKey> read =
                keys.entrySet().stream().collect(toUnmodifiableMap(Map.Entry::getKey, SeedVault::key));
        if (currentKey.isEmpty()) {
            throw new SeedKeysRefused("It is not said which key the seeds of draws are sealed with.");
        }
        if (!read.containsKey(currentKey)) {
            throw new SeedKeysRefused("Seeds of draws are to be sealed with the key '%s', and there is no such key."
                    .formatted(currentKey));
        }
        return new SeedVault(read, currentKey);
    }

    private static SecretKey key(Map.Entry<String, String> named) {
        if (!named.getKey().matches(NAME)) {
            throw new SeedKeysRefused(
                    "A key for seeds is named '%s'; a name has up to 20 small letters and digits, and nothing else."
                            .formatted(named.getKey()));
        }
        byte[] bytes = decoded(named);
        if (bytes.length != KEY_BYTES) {
            throw new SeedKeysRefused(
                    "The key '%s' for seeds has %d bytes, not 32.".formatted(named.getKey(), bytes.length));
        }
        return new SecretKeySpec(bytes, "AES");
    }

    private static byte[] decoded(Map.Entry<String, String> named) {
        try {
            return Base64.getDecoder().decode(named.getValue().strip());
        } catch (IllegalArgumentException notBase64) {
            throw new SeedKeysRefused("The key '%s' for seeds is not Base64.".formatted(named.getKey()));
        }
    }

    public String seal(Seed seed, ActivityId activityId, int round, SecureRandom random) {
        byte[] sealed = new byte[NONCE_BYTES + Seed.BYTES + TAG_BITS / Byte.SIZE];
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        System.arraycopy(nonce, 0, sealed, 0, NONCE_BYTES);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key(currentKey), nonce, Round.nameOf(activityId, round));
            cipher.doFinal(seed.bytes(), 0, Seed.BYTES, sealed, NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
        return currentKey + ":" + Base64.getEncoder().encodeToString(sealed);
    }

    Seed open(Round round) {
        int colon = round.sealedSeed().indexOf(':');
        if (colon < 0) {
            throw new SeedLost("the sealed seed of " + round.name() + " names no key");
        }
        String name = round.sealedSeed().substring(0, colon);
        SecretKey key = keys.get(name);
        if (key == null) {
            throw new SeedLost("the seed of %s is sealed with the key '%s', and this process has no such key"
                    .formatted(round.name(), name));
        }
        try {
            byte[] sealed = Base64.getDecoder().decode(round.sealedSeed().substring(colon + 1));
            byte[] nonce = new byte[NONCE_BYTES];
            System.arraycopy(sealed, 0, nonce, 0, Math.min(NONCE_BYTES, sealed.length));
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce, round.name());
            int length = Math.max(0, sealed.length - NONCE_BYTES);
            return Seed.of(cipher.doFinal(sealed, sealed.length - length, length));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SeedLost("the key '%s' does not open the seed of %s".formatted(name, round.name()), e);
        }
    }

    private SecretKey key(String name) {
        SecretKey key = keys.get(name);
        if (key == null) {
            throw new IllegalStateException("a vault has its current key");
        }
        return key;
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String round) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(round.getBytes(UTF_8));
        return cipher;
    }
}
