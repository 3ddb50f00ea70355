package lottery.fulfilment.coupon;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * By which a receiver knows that a call was made here, now, and for it. Each receiver has a secret of its own, which
 * follows from ours for its place, and from which nothing follows: what one of them knows makes no call to another one.
 */
final class WebhookSignature {

    private static final String HMAC = "HmacSHA256";

    private WebhookSignature() {}

    /**
     * What the receiver at this place is given to verify calls with; as text, so that it can be passed on and typed.
     */
    static String secretFor(String place, String secret) {
        return hmac(secret, place);
    }

    /**
     * Over the time, so that a call that somebody has listened to cannot be repeated later, and over where it goes to,
     * so that it cannot be repeated elsewhere, even where places share a receiver. None of the lines above the body can
     * have an end of line in it.
     */
    static String of(Webhook webhook, String timestamp, String body, String secret) {
        String signed = "%s\n%s\n%s\n%s".formatted(timestamp, webhook.place(), webhook.target(), body);
        return "v1=" + hmac(secretFor(webhook.place(), secret), signed);
    }

    private static String hmac(String secret, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), HMAC));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }
}
