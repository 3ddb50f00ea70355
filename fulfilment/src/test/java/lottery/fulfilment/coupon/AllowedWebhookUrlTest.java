package lottery.fulfilment.coupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import lottery.fulfilment.coupon.AllowedWebhookUrl.ForbiddenUrlException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A webhook")
class AllowedWebhookUrlTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private static final CouponSettings SETTINGS =
            new CouponSettings(SECRET, Set.of("coupons.example", "shop.example:8443"), false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://coupons.example/give",
                "https://COUPONS.example:443/give?token=1",
                "HTTPS://shop.example:8443/"
            })
    @DisplayName("A webhook is called if its host is allowed.")
    void allowed(String url) throws ForbiddenUrlException {
        assertThat(AllowedWebhookUrl.of(url, SETTINGS).uri()).hasToString(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://coupons.example/give",
                "https://COUPONS.example:443/other",
                "https://coupons.example:0443",
                "HTTPS://Coupons.Example?give"
            })
    @DisplayName("A webhook has the same place, and the same limits, however its URL is written.")
    void place(String url) throws ForbiddenUrlException {
        assertThat(AllowedWebhookUrl.of(url, SETTINGS).place()).isEqualTo("coupons.example:443");
    }

    @Test
    @DisplayName("A webhook at another port is another place.")
    void otherPlace() throws ForbiddenUrlException {
        CouponSettings plain = new CouponSettings(SECRET, Set.of("coupons.example", "shop.example:8443"), true);
        assertThat(AllowedWebhookUrl.of("http://coupons.example/give", plain).place())
                .isEqualTo("coupons.example:80");
        assertThat(AllowedWebhookUrl.of("https://shop.example:8443/", plain).place())
                .isEqualTo("shop.example:8443");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://coupons.example/give",
                "https://coupons.example:8443/give",
                "https://shop.example/",
                "https://coupons.example.evil.example/",
                "https://evil.example/?coupons.example",
                "https://coupons.example@evil.example/",
                "https://user:word@coupons.example/",
                "https://coupons.example/#here",
                "https://127.0.0.1/",
                "https://[::1]/",
                "https:///give",
                "file:///etc/passwd",
                "coupons.example/give",
                "ht tp://coupons.example",
                ""
            })
    @DisplayName("A webhook is not called if any part of its URL is not allowed.")
    void forbidden(String url) {
        assertThatThrownBy(() -> AllowedWebhookUrl.of(url, SETTINGS)).isInstanceOf(ForbiddenUrlException.class);
    }

    @Test
    @DisplayName("A webhook is called without encryption if the operator allows it.")
    void plain() throws ForbiddenUrlException {
        CouponSettings plain = new CouponSettings(SECRET, Set.of("coupons.example"), true);
        assertThat(AllowedWebhookUrl.of("http://coupons.example:80/give", plain)
                        .uri()
                        .getPort())
                .isEqualTo(80);
    }

    @Test
    @DisplayName("The settings need hosts and a long secret, and neither logs nor errors show the secret.")
    void settings() {
        assertThat(new CouponSettings("", Set.of(), false).isServed()).isFalse();
        assertThat(SETTINGS.isServed()).isTrue();
        assertThat(SETTINGS.toString()).doesNotContain(SECRET);
        assertThatThrownBy(() -> new CouponSettings("short", Set.of("a"), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("short");
        assertThatThrownBy(() -> new CouponSettings(SECRET, Set.of(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hosts")
                .hasMessageNotContaining(SECRET);
    }
}
