package lottery.fulfilment.coupon;

import static java.nio.charset.StandardCharsets.UTF_8;

import lottery.messaging.StorableText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The answer of a webhook that was asked for a coupon.
 *
 * <p>A rejection is final, because the award is compensated. So only an unambiguous status counts as a rejection. The
 * status 409 does not: many receivers send it while a call with the same key is running. The running call may be our
 * own, which has just timed out. The status 404 does not either, because a proxy sends it while the receiver is away.
 */
sealed interface CouponWebhookAnswer {

    /**
     * The coupon was given.
     *
     * @param reference the receiver's own reference; null if the receiver sent no usable one
     */
    record CouponGranted(@Nullable String reference) implements CouponWebhookAnswer {}

    /**
     * The coupon will never be given.
     *
     * @param reason a text for people
     */
    record CouponRejected(String reason) implements CouponWebhookAnswer {}

    /** The answer is neither yes nor no. A later call may get a clear answer. */
    record AnswerUnclear(String why) implements CouponWebhookAnswer {}

    int REFERENCE_LENGTH_MAX = 200;
    int REASON_LENGTH_MAX = 500;

    static CouponWebhookAnswer of(int status, byte[] body) {
        return switch (status) {
            case 400, 410, 422 -> {
                String reason = text(body, "reason", REASON_LENGTH_MAX);
                yield new CouponRejected("the webhook has answered " + status + (reason == null ? "" : ": " + reason));
            }
            default ->
                status >= 200 && status < 300
                        ? new CouponGranted(text(body, "reference", REFERENCE_LENGTH_MAX))
                        : new AnswerUnclear("it has answered " + status);
        };
    }

    /**
     * Reads a field of the body. A body is optional and comes from a stranger, so a malformed body counts as missing.
     */
    private static @Nullable String text(byte[] body, String field, int lengthMax) {
        try {
            JsonNode value =
                    JsonMapper.shared().readTree(new String(body, UTF_8)).path(field);
            String text = value.isString() ? value.asString() : "";
            boolean isFit = !text.isBlank() && text.length() <= lengthMax && StorableText.isStorable(text);
            return isFit ? text : null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
