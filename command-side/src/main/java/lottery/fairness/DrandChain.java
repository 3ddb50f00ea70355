package lottery.fairness;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import supranational.blst.BLST_ERROR;
import supranational.blst.P1_Affine;
import supranational.blst.P2_Affine;

/**
 * A chain of public random values that many independent organizations sign together, as drand publishes them. The value
 * of a round is its BLS signature. No one can know it before the round, and everybody can check it with the public key.
 *
 * @param hash the name of the chain
 * @param publicKey the key of all organizations together, a compressed point of G2 in hex
 * @param genesis the time of round 1
 * @param period the time between two rounds
 */
public record DrandChain(String hash, String publicKey, Instant genesis, Duration period) {

    /** The chain that the League of Entropy runs for the public. */
    public static final DrandChain QUICKNET = new DrandChain(
            "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
            "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
                    + "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
                    + "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
            Instant.ofEpochSecond(1_692_803_367),
            Duration.ofSeconds(3));

    private static final String KNOWN_ROUND = "1000";

    private static final String KNOWN_VALUE =
            "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

    private static final String PREFIX = "drand:";

    /** The signatures of this scheme are compressed points of G1. */
    private static final int SIGNATURE_BYTES = 48;

    private static final String SCHEME = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

    /** Returns whether the source of a pool is a chain, known here or not. */
    public static boolean isNameOfChain(String source) {
        return source.startsWith(PREFIX);
    }

    /** Returns the chain that a source of a pool names; empty if it names none that is known here. */
    public static Optional<DrandChain> named(String source) {
        return source.equals(QUICKNET.source()) ? Optional.of(QUICKNET) : Optional.empty();
    }

    /** Returns the name of this chain as the source of a pool's random value. */
    String source() {
        return PREFIX + hash;
    }

    /** Returns the first round at this time or later. */
    public long roundAt(Instant time) {
        long nanos = Math.max(0, Duration.between(genesis, time).toNanos());
        return 1 + Math.ceilDiv(nanos, period.toNanos());
    }

    /**
     * Fails if signatures cannot be checked here. The library is native code, which it unpacks into a folder for that.
     */
    void requireLibrary() {
        if (!QUICKNET.isSigned(KNOWN_ROUND, KNOWN_VALUE)) {
            throw new IllegalStateException("signatures of drand cannot be checked");
        }
    }

    /** Returns whether this value, in hex, is the signature of the round. */
    public boolean isSigned(String round, String value) {
        try {
            byte[] signature = HexFormat.of().parseHex(value);
            byte[] message = ByteBuffer.allocate(Long.BYTES)
                    .putLong(Long.parseUnsignedLong(round))
                    .array();
            return signature.length == SIGNATURE_BYTES && isSigned(sha256(message), new P1_Affine(signature));
        } catch (RuntimeException malformed) {
            return false; // They are no hex, no number, or no point of the curve, for which the library throws this.
        }
    }

    private boolean isSigned(byte[] digest, P1_Affine signature) {
        P2_Affine key = new P2_Affine(HexFormat.of().parseHex(publicKey));
        return signature.in_group() && signature.core_verify(key, true, digest, SCHEME) == BLST_ERROR.BLST_SUCCESS;
    }

    private static byte[] sha256(byte[] message) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(message);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
