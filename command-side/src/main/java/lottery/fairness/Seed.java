package lottery.fairness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a round: 256 bits, known to nobody until the round is over. The commitment is the hash of the seed. So
 * when the seed is published, everybody can check that it is the right seed.
 */
public final class Seed {

    static final int BYTES = 32;

    private static final String HMAC = "HmacSHA256";

    private final byte[] bytes;

    /**
     * A Mac that is initialised with the seed. It is never used itself, only copied. A copy costs less than a new Mac,
     * and any thread can make a copy.
     */
    private final Mac ready;

    private Seed(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a seed has " + BYTES + " bytes");
        }
        this.bytes = bytes;
        try {
            ready = Mac.getInstance(HMAC);
            ready.init(new SecretKeySpec(bytes, HMAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    /** Draws a new seed. The source must be secure, because a predictable source would make a predictable secret. */
    public static Seed fresh(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Seed(bytes);
    }

    static Seed of(byte[] bytes) {
        return new Seed(bytes.clone());
    }

    /** Reads a published seed. */
    public static Seed of(String hex) {
        return new Seed(HexFormat.of().parseHex(hex));
    }

    /** Returns the SHA-256 of the 32 bytes, in hex. */
    public String commitment() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the HMAC-SHA256 of the text in UTF-8, with this seed as the key. */
    public byte[] hmac(String text) {
        try {
            return ((Mac) ready.clone()).doFinal(text.getBytes(UTF_8));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(HMAC + " of this platform cannot be copied", e);
        }
    }

    /** Returns the secret itself, in hex, so that it can be published. */
    public String reveal() {
        return HexFormat.of().formatHex(bytes);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** Shows only the commitment, because a secret that is logged is no secret any more. */
    @Override
    public String toString() {
        return "a seed, committed to by " + commitment();
    }
}
