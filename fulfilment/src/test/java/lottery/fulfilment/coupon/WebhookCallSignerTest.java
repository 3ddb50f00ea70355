package lottery.fulfilment.coupon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The signature of a call")
class WebhookCallSignerTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final AllowedWebhookUrl GIVE =
            new AllowedWebhookUrl(URI.create("https://coupons.example/give?now"), "coupons.example:443");
    private static final Instant NOW = Instant.ofEpochSecond(1795291200);
    private static final String BODY = "{\"awardRecordId\":\"award:1\",\"title\":\"10 % off, 省\"}";

    private static String signature(AllowedWebhookUrl webhook, String body) {
        return WebhookCallSigner.of(webhook, Long.toString(NOW.getEpochSecond()), body, SECRET);
    }

    private static HttpHeaders call(String signature) {
        return HttpHeaders.of(
                Map.of(
                        "Lottery-Timestamp",
                        List.of(Long.toString(NOW.getEpochSecond())),
                        "Lottery-Signature",
                        List.of(signature)),
                (name, value) -> true);
    }

    /** Verifies a call, word for word as in the documentation. */
    static boolean isFromTheLottery(
            String place, String target, HttpHeaders headers, byte[] body, String secret, Instant now)
            throws GeneralSecurityException {
        String timestamp = headers.firstValue("Lottery-Timestamp").orElse("0");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        mac.update((timestamp + "\n" + place + "\n" + target + "\n").getBytes(UTF_8));
        String expected = "v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        boolean isRecent = Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) < 300;
        String signature = headers.firstValue("Lottery-Signature").orElse("");
        return isRecent && MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
    }

    private static boolean verify(String place, String target, String body, String secret, Instant now)
            throws GeneralSecurityException {
        return isFromTheLottery(place, target, call(signature(GIVE, BODY)), body.getBytes(UTF_8), secret, now);
    }

    @Test
    @DisplayName("Other programs compute the same signature, with the secret that they derive for the receiver.")
    void known() {
        assertThat(WebhookCallSigner.secretFor("coupons.example:443", SECRET))
                .isEqualTo("befe9ef955ccbc626d69f34cc73f4fb46b1537d9318773335a154c5749ad0ea9");
        assertThat(signature(GIVE, BODY))
                .isEqualTo("v1=c8c33209fab4f492b31a997342b8a7c6178611dd3ebc7fea767011eeebf7005b");
    }

    @Test
    @DisplayName("The receiver verifies the signature, which is valid nowhere else, for nothing else and not for long.")
    void verified() throws Exception {
        String own = WebhookCallSigner.secretFor("coupons.example:443", SECRET);
        assertThat(verify("coupons.example:443", "/give?now", BODY, own, NOW)).isTrue();

        String other = WebhookCallSigner.secretFor("shop.example:8443", SECRET);
        assertThat(verify("coupons.example:443", "/give?now", BODY, other, NOW)).isFalse();
        assertThat(verify("coupons.example:443", "/give?now", BODY, SECRET, NOW))
                .isFalse();
        assertThat(verify("shop.example:8443", "/give?now", BODY, own, NOW)).isFalse();
        assertThat(verify("coupons.example:443", "/give", BODY, own, NOW)).isFalse();
        assertThat(verify("coupons.example:443", "/give?now", BODY + " ", own, NOW))
                .isFalse();
        assertThat(verify("coupons.example:443", "/give?now", BODY, own, NOW.plusSeconds(301)))
                .isFalse();
    }

    @Test
    @DisplayName("The signature covers the target as it is requested.")
    void target() {
        assertThat(GIVE.target()).isEqualTo("/give?now");
        assertThat(new AllowedWebhookUrl(URI.create("https://coupons.example"), "coupons.example:443").target())
                .isEqualTo("/");
        assertThat(new AllowedWebhookUrl(URI.create("https://coupons.example/a%2Fb?"), "coupons.example:443").target())
                .isEqualTo("/a%2Fb");
    }
}
