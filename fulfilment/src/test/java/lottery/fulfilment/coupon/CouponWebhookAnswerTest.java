package lottery.fulfilment.coupon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import lottery.fulfilment.coupon.CouponWebhookAnswer.AnswerUnclear;
import lottery.fulfilment.coupon.CouponWebhookAnswer.CouponGranted;
import lottery.fulfilment.coupon.CouponWebhookAnswer.CouponRejected;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The verdict of a webhook")
class CouponWebhookAnswerTest {

    private static CouponWebhookAnswer of(int status, String body) {
        return CouponWebhookAnswer.of(status, body.replace('\'', '"').getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    @DisplayName("A 2xx status grants the coupon, with the receiver's reference.")
    void yes(int status) {
        assertThat(of(status, "{'reference':'4711','more':[1]}")).isEqualTo(new CouponGranted("4711"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "thanks",
                "null",
                "[1]",
                "{'reference':4711}",
                "{'reference':' '}",
                "{'reference':'a\\u0000b'}",
                "{'reference':'\\ud800'}",
                "{'reference'"
            })
    @DisplayName("A grant has no reference if that of the receiver cannot be used.")
    void withoutReference(String body) {
        assertThat(of(200, body)).isEqualTo(new CouponGranted(null));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 410, 422})
    @DisplayName("These statuses reject the coupon, with the receiver's reason if there is one.")
    void no(int status) {
        assertThat(of(status, "{'reason':'sold out'}"))
                .isEqualTo(new CouponRejected("the webhook has answered " + status + ": sold out"));
        assertThat(of(status, "<html>")).isEqualTo(new CouponRejected("the webhook has answered " + status));
    }

    @Test
    @DisplayName("A reference or reason that is too long counts as missing.")
    void bounded() {
        assertThat(of(200, "{'reference':'" + "r".repeat(201) + "'}")).isEqualTo(new CouponGranted(null));
        assertThat(of(410, "{'reason':'" + "r".repeat(501) + "'}"))
                .isEqualTo(new CouponRejected("the webhook has answered 410"));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 401, 403, 404, 405, 408, 409, 413, 418, 425, 429, 500, 502, 503, 504})
    @DisplayName("Any other status is unclear.")
    void neither(int status) {
        assertThat(of(status, "{'reference':'4711','reason':'no'}")).isInstanceOf(AnswerUnclear.class);
    }
}
