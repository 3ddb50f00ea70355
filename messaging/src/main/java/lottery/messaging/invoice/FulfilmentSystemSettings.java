package lottery.messaging.invoice;

import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.spec.SecretKeySpec;
import lottery.api.Sha256;
import lottery.api.strategy.AwardType;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings for external systems that answer invoices over Kafka, which operators set.
 *
 * @param senders the systems whose answers count, by name; if there are none, answers need no signature
 */
@ConfigurationProperties("lottery.fulfilment")
record FulfilmentSystemSettings(@DefaultValue Map<String, Sender> senders) {

    private static final String PREFIX = "lottery.fulfilment.senders.";

    /**
     * The pattern of a sender's name. In the name of an environment variable, the sender's name ends at the next
     * underscore.
     */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]{1,40}");

    private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-fA-F]+");
    private static final int SECRET_BYTES_MIN = 32;

    /**
     * @param secret the secrets, in Base64 or in hexadecimal digits. Several secrets are valid at once, so that one can
     *     replace another
     * @param types the types of awards for which the sender may answer
     */
    record Sender(
            @DefaultValue List<String> secret, @DefaultValue Set<AwardType> types) {

        Sender {
            secret = List.copyOf(secret);
            types = Set.copyOf(types);
        }

        /** Leaves the secrets out, because logs and errors must not show them. */
        @Override
        public String toString() {
            return "a sender for " + types;
        }
    }

    FulfilmentSystemSettings {
        senders = Map.copyOf(senders);
        Set<String> secrets = new HashSet<>();
        senders.forEach((name, sender) -> {
            require(NAME.matcher(name).matches(), name, "has a name that is not 1 to 40 of a-z and 0-9");
            require(!sender.types.isEmpty(), name, "has no types: name those for which it may answer");
            require(!sender.secret.isEmpty(), name, "has no secret: `openssl rand -base64 32` makes one");
            sender.secret.forEach(secret -> {
                keyOf(name, secret);
                require(secrets.add(secret), name, "has a secret that is set twice, for this or another sender");
            });
        });
    }

    /** Returns the senders, by name. */
    Map<String, FulfilmentSystemCredentials> answerSenders() {
        return senders.entrySet().stream()
                .map(entry -> new FulfilmentSystemCredentials(
                        entry.getKey(),
                        entry.getValue().secret.stream()
                                .map(secret -> keyOf(entry.getKey(), secret))
                                .toList(),
                        entry.getValue().types))
                .collect(Collectors.toUnmodifiableMap(FulfilmentSystemCredentials::name, Function.identity()));
    }

    private static SecretKeySpec keyOf(String name, String secret) {
        byte[] key = decoded(secret);
        require(
                key.length >= SECRET_BYTES_MIN,
                name,
                "has a secret with fewer than " + SECRET_BYTES_MIN + " bytes in Base64 or in hexadecimal digits;"
                        + " `openssl rand -base64 32` makes one");
        return new SecretKeySpec(key, Sha256.HMAC);
    }

    /** Returns the bytes of a secret; an empty array if its format is unknown. */
    private static byte[] decoded(String secret) {
        try {
            return HEXADECIMAL.matcher(secret).matches()
                    ? HexFormat.of().parseHex(secret)
                    : Base64.getDecoder().decode(secret);
        } catch (IllegalArgumentException notWritten) {
            return new byte[0];
        }
    }

    private static void require(boolean isSo, String name, String otherwise) {
        if (!isSo) {
            throw new IllegalArgumentException(PREFIX + name + " " + otherwise);
        }
    }
}
