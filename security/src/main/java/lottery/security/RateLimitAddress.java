package lottery.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.HexFormat;

/** The address by which requests are limited. */
public final class RateLimitAddress {

    private static final int NETWORK_BYTES = 8;

    private RateLimitAddress() {}

    /**
     * Returns the address. For IPv6 this is the network of 64 bits, because a caller can use all of its addresses. A
     * percent sign and the text after it are removed. Otherwise a text that is no address is returned unchanged,
     * because a proxy may send any text.
     */
    public static String of(HttpServletRequest request) {
        return of(request.getRemoteAddr());
    }

    /** Returns the address by which requests are limited, for an address given as text. */
    public static String of(String text) {
        String withoutScope = text.indexOf('%') < 0 ? text : text.substring(0, text.indexOf('%'));
        if (withoutScope.indexOf(':') < 0) {
            return withoutScope;
        }
        try {
            InetAddress address = InetAddress.ofLiteral(withoutScope);
            byte[] bytes = address.getAddress();
            return bytes.length > NETWORK_BYTES
                    ? HexFormat.of().formatHex(bytes, 0, NETWORK_BYTES)
                    : address.getHostAddress();
        } catch (IllegalArgumentException noAddress) {
            return withoutScope;
        }
    }
}
