package lottery.fairness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.util.HexFormat;
import lottery.api.Sha256;

/**
 * The secret of a round: 256 bits, known to nobody until the round is over. The commitment is the hash of the seed. So
 * when the seed is published, everybody can check that it is the right seed.
 */
public final class Seed {

    static final int BYTES = 32;

    private final byte[] bytes;

    private Seed(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a seed has " + BYTES + " bytes");
        }
        this.bytes = bytes;
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
        return Sha256.hex(bytes);
    }

    /** Returns the HMAC-SHA256 of the text in UTF-8, with this seed as the key. */
    public byte[] hmac(String text) {
        return Sha256.hmac(bytes).doFinal(text.getBytes(UTF_8));
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
