package lottery.fulfilment.coupon;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The webhook at which a coupon is asked for. Whoever defines strategies says where, and must not reach by that what
 * only this process can: so the operator of the process says who may be called.
 *
 * @param place the host in lower case and the port that is meant: the same for all urls that lead to one receiver
 */
record Webhook(URI uri, String place) {

    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    /** Names the host, for the log; the rest of an address may hold a secret. */
    static final class Forbidden extends Exception {

        Forbidden(String why) {
            super(why);
        }
    }

    static Webhook of(String url, CouponSettings settings) throws Forbidden {
        URI uri = parsed(url);
        String scheme = lower(uri.getScheme());
        boolean isPlain = scheme.equals("http");
        if (!scheme.equals("https") && !(isPlain && settings.plainHttp())) {
            throw new Forbidden("a webhook is called by https");
        }
        String host = lower(uri.getHost());
        if (host.isEmpty() || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new Forbidden("the url of a webhook has a host, no user and no fragment");
        }
        int usualPort = isPlain ? HTTP_PORT : HTTPS_PORT;
        int port = uri.getPort() < 0 ? usualPort : uri.getPort();
        if (!isAllowed(host, port, usualPort, settings.hosts())) {
            throw new Forbidden("lottery.fulfilment.coupon.hosts does not allow " + host
                    + (uri.getPort() < 0 ? "" : ":" + uri.getPort()));
        }
        return new Webhook(uri, host + ":" + port);
    }

    private static URI parsed(String url) throws Forbidden {
        try {
            // As it is called and signed: what is no ASCII is escaped on the way.
            return new URI(new URI(url).toASCIIString());
        } catch (URISyntaxException e) {
            throw new Forbidden("the url of a webhook is no url");
        }
    }

    private static boolean isAllowed(String host, int port, int usualPort, Set<String> hosts) {
        return hosts.stream()
                .map(allowed -> allowed.strip().toLowerCase(Locale.ROOT))
                .anyMatch(allowed -> allowed.equals(host + ":" + port) || (port == usualPort && allowed.equals(host)));
    }

    /** What of the url is asked for at its place. */
    String target() {
        String path = uri.getRawPath();
        String query = uri.getRawQuery();
        return (path.isEmpty() ? "/" : path) + (query == null || query.isEmpty() ? "" : "?" + query);
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }
}
