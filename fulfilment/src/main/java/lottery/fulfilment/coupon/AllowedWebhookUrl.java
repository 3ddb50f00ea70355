package lottery.fulfilment.coupon;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The webhook of a coupon. The author of a strategy chooses its URL, but must not reach hosts that only this process
 * can reach. So the operator of the process lists the hosts that may be called.
 *
 * @param place the host in lower case, and the port; it is the same for all URLs that lead to one receiver
 */
record AllowedWebhookUrl(URI uri, String place) {

    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    /**
     * Thrown if a URL may not be called. The exception names only the host for the log, because the rest of a URL may
     * hold a secret.
     */
    static final class ForbiddenUrlException extends Exception {

        ForbiddenUrlException(String why) {
            super(why);
        }
    }

    static AllowedWebhookUrl of(String url, CouponSettings settings) throws ForbiddenUrlException {
        URI uri = parsed(url);
        String scheme = lower(uri.getScheme());
        boolean isPlain = scheme.equals("http");
        if (!scheme.equals("https") && !(isPlain && settings.plainHttp())) {
            throw new ForbiddenUrlException("a webhook is called by https");
        }
        String host = lower(uri.getHost());
        if (host.isEmpty() || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new ForbiddenUrlException("the url of a webhook has a host, no user and no fragment");
        }
        int usualPort = isPlain ? HTTP_PORT : HTTPS_PORT;
        int port = uri.getPort() < 0 ? usualPort : uri.getPort();
        if (!isAllowed(host, port, usualPort, settings.hosts())) {
            throw new ForbiddenUrlException("lottery.fulfilment.coupon.hosts does not allow " + host
                    + (uri.getPort() < 0 ? "" : ":" + uri.getPort()));
        }
        return new AllowedWebhookUrl(uri, host + ":" + port);
    }

    private static URI parsed(String url) throws ForbiddenUrlException {
        try {
            // This form is called and signed. In it, characters outside ASCII are escaped.
            return new URI(new URI(url).toASCIIString());
        } catch (URISyntaxException e) {
            throw new ForbiddenUrlException("the url of the webhook is not a valid url");
        }
    }

    private static boolean isAllowed(String host, int port, int usualPort, Set<String> hosts) {
        return hosts.stream()
                .map(allowed -> allowed.strip().toLowerCase(Locale.ROOT))
                .anyMatch(allowed -> allowed.equals(host + ":" + port) || (port == usualPort && allowed.equals(host)));
    }

    /** Returns the path and the query of the URL. */
    String target() {
        String path = uri.getRawPath();
        String query = uri.getRawQuery();
        return (path.isEmpty() ? "/" : path) + (query == null || query.isEmpty() ? "" : "?" + query);
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }
}
