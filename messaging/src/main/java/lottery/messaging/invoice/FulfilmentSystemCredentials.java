package lottery.messaging.invoice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.Key;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import lottery.api.Sha256;
import lottery.api.strategy.AwardType;
import lottery.store.trace.Actor;

/**
 * An external system that answers invoices over Kafka and signs its answers.
 *
 * @param keys the keys; a signature with any of them is valid
 * @param types the types of awards for which it may answer
 */
record FulfilmentSystemCredentials(String name, List<SecretKeySpec> keys, Set<AwardType> types) {

    /** The role in which such a system acts, the same as over REST. */
    private static final String ROLE = "fulfilment";

    /**
     * Returns whether this sender has made the signature. The comparison takes constant time.
     *
     * @param id the {@code ce_id} of the message
     * @param awardRecordId the key of the message
     */
    boolean hasSigned(String id, String awardRecordId, byte[] content, String signature) {
        byte[] given = signature.getBytes(UTF_8);
        return keys.stream()
                .map(key -> signature(key, name, id, awardRecordId, content).getBytes(UTF_8))
                .anyMatch(expected -> MessageDigest.isEqual(expected, given));
    }

    /** Signs the sender, the ids and the exact content. No line before the content may contain a line end. */
    static String signature(Key key, String sender, String id, String awardRecordId, byte[] content) {
        Mac mac = Sha256.hmac(key.getEncoded());
        mac.update("%s\n%s\n%s\n".formatted(sender, id, awardRecordId).getBytes(UTF_8));
        return HexFormat.of().formatHex(mac.doFinal(content));
    }

    /**
     * Returns the actor of the commands that follow from answers of this sender. For this actor, only awards of the
     * sender's {@code types} exist.
     */
    Actor actor() {
        Set<String> kinds = types.stream().map(AwardType::name).collect(Collectors.toUnmodifiableSet());
        return new Actor(name, ROLE, Set.of(ROLE), new Actor.AccessScope(false, kinds));
    }
}
