package lottery.store.vault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableMap;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Encrypts secrets with AES-256-GCM, so that a reader of the database does not learn them. A sealed secret names its
 * key, and can be opened only under the name that it was sealed for. Its form is {@code <key>:<Base64 of nonce, secret
 * and tag>}.
 */
public final class SecretCipher {

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The form of a key's name. The name is part of an environment variable and the beginning of a sealed secret. */
    private static final String NAME = "[a-z0-9]{1,20}";

    private final Map<String, ConfiguredKey> keys;
    private final String currentKey;

    private SecretCipher(Map<String, ConfiguredKey> keys, String currentKey) {
        this.keys = keys;
        this.currentKey = currentKey;
    }

    /**
     * @param label names the key and its settings for operators, because keys of other settings may have the same name
     */
    private record ConfiguredKey(String label, SecretKey secret) {}

    /** A secret, and the label of the key that has opened it. */
    @SuppressWarnings("ArrayRecordComponent") // The array is neither compared nor changed.
    record OpenedSecret(byte[] secret, String label) {}

    /**
     * Creates a cipher with the keys that operators have set: {@code <prefix>.keys.<name>}, each 32 bytes in Base64,
     * and {@code <prefix>.current-key}, the name of the key that seals new secrets. Every key that has sealed a secret
     * in the store must be there.
     *
     * @param prefix for example {@code lottery.codes}
     * @throws KeysRefusedException if the keys cannot be used; the message contains no key
     */
    public static SecretCipher of(Environment environment, String prefix) {
        Binder settings = Binder.get(environment);
        return of(
                prefix.toUpperCase(Locale.ROOT).replace('.', '_'),
                settings.bind(prefix + ".keys", Bindable.mapOf(String.class, String.class))
                        .orElse(Map.of()),
                settings.bind(prefix + ".current-key", String.class).orElse(""));
    }

    /**
     * Creates a cipher with these keys.
     *
     * @param settings the common beginning of the names of the settings that have the keys
     * @throws KeysRefusedException if the keys cannot be used; the message contains no key
     */
    public static SecretCipher of(String settings, Map<String, String> keys, String currentKey) {
        if (keys.isEmpty()) {
            throw new KeysRefusedException(settings, "No key is set for the secrets in the database.");
        }
        Map<String, ConfiguredKey> read =
                keys.entrySet().stream().collect(toUnmodifiableMap(Map.Entry::getKey, named -> key(settings, named)));
        if (currentKey.isEmpty()) {
            throw new KeysRefusedException(
                    settings, "No setting names the key that seals new secrets in the database.");
        }
        if (!read.containsKey(currentKey)) {
            throw new KeysRefusedException(
                    settings,
                    "New secrets in the database are to be sealed with the key '%s', which is not set."
                            .formatted(currentKey));
        }
        return new SecretCipher(read, currentKey);
    }

    private static ConfiguredKey key(String settings, Map.Entry<String, String> named) {
        String name = named.getKey();
        if (!name.matches(NAME)) {
            throw new KeysRefusedException(
                    settings,
                    "A key for secrets is named '%s'; a name has up to 20 small letters and digits, and nothing else."
                            .formatted(name));
        }
        byte[] bytes = decoded(settings, named);
        if (bytes.length != KEY_BYTES) {
            throw new KeysRefusedException(
                    settings, "The key '%s' for secrets has %d bytes, not 32.".formatted(name, bytes.length));
        }
        return new ConfiguredKey("%s (%s)".formatted(name, settings), new SecretKeySpec(bytes, "AES"));
    }

    private static byte[] decoded(String settings, Map.Entry<String, String> named) {
        try {
            return Base64.getDecoder().decode(named.getValue().strip());
        } catch (IllegalArgumentException notBase64) {
            throw new KeysRefusedException(
                    settings, "The key '%s' for secrets is not Base64.".formatted(named.getKey()));
        }
    }

    /** Returns the name of the key that has sealed a secret; an empty text if the secret has no such name. */
    static String keyNamedBy(String sealed) {
        String name = sealed.substring(0, Math.max(0, sealed.indexOf(':')));
        return name.matches(NAME) ? name : "";
    }

    /** Returns the name of the current key, which seals new secrets. */
    public String currentKey() {
        return currentKey;
    }

    /** Returns the label of the current key for operators, for example {@code k1 (LOTTERY_CODES)}. */
    String currentLabel() {
        return current().label();
    }

    private ConfiguredKey current() {
        return Objects.requireNonNull(keys.get(currentKey));
    }

    /**
     * Encrypts a secret under the current key.
     *
     * @param name what the secret belongs to; it can be opened only under this name
     */
    public String seal(byte[] secret, String name, SecureRandom random) {
        byte[] sealed = new byte[NONCE_BYTES + secret.length + TAG_BITS / Byte.SIZE];
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        System.arraycopy(nonce, 0, sealed, 0, NONCE_BYTES);
        try {
            cipher(Cipher.ENCRYPT_MODE, current().secret(), nonce, name)
                    .doFinal(secret, 0, secret.length, sealed, NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
        return currentKey + ":" + Base64.getEncoder().encodeToString(sealed);
    }

    /**
     * Decrypts a secret that was sealed under any of the keys.
     *
     * @throws SecretUnavailableException if this process does not have the key, if the sealed secret was changed, or if
     *     it was sealed for another name
     */
    public byte[] open(String sealedSecret, String name) {
        return opened(sealedSecret, name).secret();
    }

    /** Decrypts like {@link #open}, and also returns the key's label. */
    OpenedSecret opened(String sealedSecret, String name) {
        String keyName = keyNamedBy(sealedSecret);
        if (keyName.isEmpty()) {
            throw new SecretUnavailableException("the sealed secret of " + name + " names no key");
        }
        String sealed = sealedSecret.substring(keyName.length() + 1);
        ConfiguredKey key = keys.get(keyName);
        if (key == null) {
            throw new SecretUnavailableException(
                    "the secret of %s is sealed with the key '%s', and this process has no such key"
                            .formatted(name, keyName));
        }
        try {
            return new OpenedSecret(decrypted(sealed, key.secret(), name), key.label());
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SecretUnavailableException(
                    "the key '%s' does not open the secret of %s".formatted(keyName, name), e);
        }
    }

    private static byte[] decrypted(String text, SecretKey key, String name) throws GeneralSecurityException {
        byte[] sealed = Base64.getDecoder().decode(text);
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(sealed, 0, nonce, 0, Math.min(NONCE_BYTES, sealed.length));
        int length = Math.max(0, sealed.length - NONCE_BYTES);
        return cipher(Cipher.DECRYPT_MODE, key, nonce, name).doFinal(sealed, sealed.length - length, length);
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String name) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(name.getBytes(UTF_8));
        return cipher;
    }
}
