package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;

/** Computes the root of an entry's proof, as the documentation says, with code of its own. */
final class EntryProofRoot {

    private EntryProofRoot() {}

    static String root(long activityId, int entryNo, String orderId, JsonNode path) {
        byte[] hash = sha256(
                (byte) 0,
                "activity:%d|%d|%s".formatted(activityId, entryNo, orderId).getBytes(UTF_8));
        for (JsonNode step : path.valueStream().toList()) {
            byte[] sibling = HexFormat.of().parseHex(step.path("hash").asString());
            hash = step.path("side").asString().equals("LEFT")
                    ? sha256((byte) 1, sibling, hash)
                    : sha256((byte) 1, hash, sibling);
        }
        return HexFormat.of().formatHex(hash);
    }

    private static byte[] sha256(byte kind, byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(kind);
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
