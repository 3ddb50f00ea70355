package lottery.store.vault;

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

/**
 * Encrypts secrets for the store, so that a reader of the store does not learn them. A sealed secret names its key, and
 * opens only under the name that it was sealed for. It is {@code <key>:<Base64 of nonce, secret and tag>}, by
 * AES-256-GCM.
 */
public final class SecretCipher {

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The form of a key's name, which is part of an environment variable and the beginning of a sealed secret. */
    private static final String NAME = "[a-z0-9]{1,20}";

    private final Map<String, SecretKey> keys;
    private final String currentKey;
    private final SecretKey current;

    private SecretCipher(Map<String, SecretKey> keys, String currentKey, SecretKey current) {
        this.keys = keys;
        this.currentKey = currentKey;
        this.current = current;
    }

    /**
     * Creates a vault with these keys.
     *
     * @throws KeysRefused with a sentence that shows no key
     */
    public static SecretCipher of(Map<String, String> keys, String currentKey) {
        if (keys.isEmpty()) {
            throw new KeysRefused("There is no key for the secrets in the store.");
        }
        Map<String, SecretKey> read =
                keys.entrySet().stream().collect(toUnmodifiableMap(Map.Entry::getKey, SecretCipher::key));
        if (currentKey.isEmpty()) {
            throw new KeysRefused("It is not said which key the secrets in the store are sealed with.");
        }
        SecretKey current = read.get(currentKey);
        if (current == null) {
            throw new KeysRefused("Secrets in the store are to be sealed with the key '%s', and there is no such key."
                    .formatted(currentKey));
        }
        return new SecretCipher(read, currentKey, current);
    }

    private static SecretKey key(Map.Entry<String, String> named) {
        if (!named.getKey().matches(NAME)) {
            throw new KeysRefused(
                    "A key for secrets is named '%s'; a name has up to 20 small letters and digits, and nothing else."
                            .formatted(named.getKey()));
        }
        byte[] bytes = decoded(named);
        if (bytes.length != KEY_BYTES) {
            throw new KeysRefused(
                    "The key '%s' for secrets has %d bytes, not 32.".formatted(named.getKey(), bytes.length));
        }
        return new SecretKeySpec(bytes, "AES");
    }

    private static byte[] decoded(Map.Entry<String, String> named) {
        try {
            return Base64.getDecoder().decode(named.getValue().strip());
        } catch (IllegalArgumentException notBase64) {
            throw new KeysRefused("The key '%s' for secrets is not Base64.".formatted(named.getKey()));
        }
    }

    /** Returns the name of the key that seals. */
    public String currentKey() {
        return currentKey;
    }

    /**
     * Encrypts a secret under the current key.
     *
     * @param name what the secret belongs to; it opens for that only
     */
    public String seal(byte[] secret, String name, SecureRandom random) {
        byte[] sealed = new byte[NONCE_BYTES + secret.length + TAG_BITS / Byte.SIZE];
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        System.arraycopy(nonce, 0, sealed, 0, NONCE_BYTES);
        try {
            cipher(Cipher.ENCRYPT_MODE, current, nonce, name).doFinal(secret, 0, secret.length, sealed, NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
        return currentKey + ":" + Base64.getEncoder().encodeToString(sealed);
    }

    /**
     * Decrypts a secret that was sealed under any of the keys.
     *
     * @throws SecretUnavailable if this process does not have the key, or the sealed secret was changed or belongs to
     *     something else
     */
    public byte[] open(String sealedSecret, String name) {
        int colon = sealedSecret.indexOf(':');
        if (colon < 0) {
            throw new SecretUnavailable("the sealed secret of " + name + " names no key");
        }
        String keyName = sealedSecret.substring(0, colon);
        SecretKey key = keys.get(keyName);
        if (key == null) {
            throw new SecretUnavailable("the secret of %s is sealed with the key '%s', and this process has no such key"
                    .formatted(name, keyName));
        }
        try {
            byte[] sealed = Base64.getDecoder().decode(sealedSecret.substring(colon + 1));
            byte[] nonce = new byte[NONCE_BYTES];
            System.arraycopy(sealed, 0, nonce, 0, Math.min(NONCE_BYTES, sealed.length));
            int length = Math.max(0, sealed.length - NONCE_BYTES);
            return cipher(Cipher.DECRYPT_MODE, key, nonce, name).doFinal(sealed, sealed.length - length, length);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SecretUnavailable("the key '%s' does not open the secret of %s".formatted(keyName, name), e);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String name) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(name.getBytes(UTF_8));
        return cipher;
    }
}
