package lottery.fulfilment.coupon;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of an operator for the webhooks of coupons.
 *
 * @param secret what the secrets follow from that calls are signed with; without one nobody is called
 * @param hosts who may be called: a host, or a host and its port; without a port the usual one is meant
 * @param plainHttp whether http will do, as in a test or within a network of one's own
 */
@ConfigurationProperties("lottery.fulfilment.coupon")
record CouponSettings(
        @DefaultValue("") String secret,
        @DefaultValue Set<String> hosts,
        @DefaultValue("false") boolean plainHttp) {

    private static final int SECRET_LENGTH_MIN = 32;

    CouponSettings {
        hosts = Set.copyOf(hosts);
        if (!secret.isEmpty() && secret.length() < SECRET_LENGTH_MIN) {
            throw new IllegalArgumentException("lottery.fulfilment.coupon.secret has fewer than " + SECRET_LENGTH_MIN
                    + " characters; `openssl rand -base64 32` makes one");
        }
        if (!secret.isEmpty() && hosts.isEmpty()) {
            throw new IllegalArgumentException(
                    "lottery.fulfilment.coupon has a secret and no hosts that may be called");
        }
    }

    boolean isServed() {
        return !secret.isEmpty();
    }

    /** What is shown of settings, in a log or an error, must not show the secret. */
    @Override
    public String toString() {
        return "coupons " + (isServed() ? "with" : "without") + " a secret, by " + hosts;
    }
}
