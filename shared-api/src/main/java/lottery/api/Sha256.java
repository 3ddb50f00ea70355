package lottery.api;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256, and HMAC-SHA256 with a key. Every Java platform has both. */
public final class Sha256 {

    /** The name of HMAC-SHA256 for keys. */
    public static final String HMAC = "HmacSHA256";

    private static final String DIGEST = "SHA-256";

    /** A Mac that is never used itself, only copied. A copy takes half the time of looking up a new Mac. */
    private static final Mac UNUSED = unused();

    private Sha256() {}

    private static Mac unused() {
        try {
            return Mac.getInstance(HMAC);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    /** Returns a new digest, for content in several parts. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance(DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + DIGEST, e);
        }
    }

    /** Returns the SHA-256 of the content, in hex. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    /** Returns a new HMAC-SHA256 with this key. The key is not empty. */
    public static Mac hmac(byte[] key) {
        try {
            Mac mac = (Mac) UNUSED.clone();
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (InvalidKeyException | CloneNotSupportedException e) {
            throw new IllegalStateException(HMAC + " of this platform cannot be copied", e);
        }
    }
}
