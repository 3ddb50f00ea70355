package lottery.fulfilment.coupon;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The verdict of a webhook on a coupon.
 *
 * <p>A no is final, and makes good for the award by something else: only what can mean nothing but no is one. 409 is
 * none, because that is how many say that a call with the same key is still under way, and the call that is under way
 * is ours, given up a moment ago. Nor is 404, which whoever stands in front of the receiver says while it is not there.
 */
sealed interface WebhookVerdict {

    /**
     * Yes.
     *
     * @param reference the receiver's own, or none that can be used
     */
    record Granted(@Nullable String reference) implements WebhookVerdict {}

    /**
     * No, and never.
     *
     * @param reason for people
     */
    record Rejected(String reason) implements WebhookVerdict {}

    /** Neither yes nor no: it may be better later. */
    record Unclear(String why) implements WebhookVerdict {}

    int REFERENCE_LENGTH_MAX = 200;
    int REASON_LENGTH_MAX = 500;

    static WebhookVerdict of(int status, byte[] body) {
        return switch (status) {
            case 400, 410, 422 -> {
                String reason = text(body, "reason", REASON_LENGTH_MAX);
                yield new Rejected("the webhook has answered " + status + (reason == null ? "" : ": " + reason));
            }
            default ->
                status >= 200 && status < 300
                        ? new Granted(text(body, "reference", REFERENCE_LENGTH_MAX))
                        : new Unclear("it has answered " + status);
        };
    }

    /** Bodies are optional, and come from strangers: what is not well formed is as good as not there. */
    private static @Nullable String text(byte[] body, String field, int lengthMax) {
        try {
            JsonNode value =
                    JsonMapper.shared().readTree(new String(body, UTF_8)).path(field);
            String text = value.isString() ? value.asString() : "";
            boolean isFit = !text.isBlank()
                    && text.length() <= lengthMax
                    && text.codePoints().noneMatch(WebhookVerdict::isUnfit);
            return isFit ? text : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static boolean isUnfit(int character) {
        boolean isHalf = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        return isHalf || Character.isISOControl(character);
    }
}
