package lottery.fulfilment.coupon;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import lottery.api.Sha256;

/**
 * Signs a call, so that its receiver knows that the call was made here, now, and for this receiver. Each receiver has
 * its own secret, derived from our secret and the receiver's place. A receiver cannot compute our secret from its own,
 * so it cannot sign calls to another receiver.
 */
final class WebhookCallSigner {

    private WebhookCallSigner() {}

    /**
     * Returns the secret with which the receiver at this place verifies calls. It is a text, so that it can be passed
     * on and typed.
     */
    static String secretFor(String place, String secret) {
        return hmac(secret, place);
    }

    /**
     * Returns the signature of a call. It covers the time, so that a recorded call cannot be repeated later. It also
     * covers the target, so that the call cannot be repeated at another URL of the same receiver. No part above the
     * body can contain a line end, so two different calls never have the same signed text.
     */
    static String of(AllowedWebhookUrl webhook, String timestamp, String body, String secret) {
        String signed = "%s\n%s\n%s\n%s".formatted(timestamp, webhook.place(), webhook.target(), body);
        return "v1=" + hmac(secretFor(webhook.place(), secret), signed);
    }

    private static String hmac(String secret, String text) {
        return HexFormat.of().formatHex(Sha256.hmac(secret.getBytes(UTF_8)).doFinal(text.getBytes(UTF_8)));
    }
}
