package lottery.fulfilment.coupon;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of an operator for the webhooks of coupons.
 *
 * @param secret the secret from which the signing secrets are derived; without it no webhook is called
 * @param hosts the hosts that may be called, each with or without a port; without a port, the default port is meant
 * @param plainHttp whether http is allowed, as in a test or within a private network
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
                    "lottery.fulfilment.coupon.secret is set, and lottery.fulfilment.coupon.hosts is not: name the hosts to call");
        }
    }

    boolean isServed() {
        return !secret.isEmpty();
    }

    /** Leaves the secret out, because logs and errors must not show it. */
    @Override
    public String toString() {
        return "coupons " + (isServed() ? "with" : "without") + " a secret, by " + hosts;
    }
}
