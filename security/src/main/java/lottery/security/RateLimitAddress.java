package lottery.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** The address by which requests are limited. */
public final class RateLimitAddress {

    private static final int NETWORK_BYTES = 8;

    /**
     * How many characters of an address of this class a provider gives to one customer, who has many such addresses.
     */
    private static final List<Integer> WIDER_NETWORKS = List.of(14, 12);

    private static final Pattern NETWORK = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern IPV4 = Pattern.compile("([0-9]{1,3}\\.){3}[0-9]{1,3}");

    private RateLimitAddress() {}

    /**
     * Returns the networks that an address of this class belongs to, the smaller first: for IPv6 those of 56 and 48
     * bits, for IPv4 the one of 24 bits.
     */
    public static List<String> networksOf(String address) {
        if (NETWORK.matcher(address).matches()) {
            return WIDER_NETWORKS.stream()
                    .map(length -> address.substring(0, length) + "/" + 4 * length)
                    .toList();
        }
        return IPV4.matcher(address).matches()
                ? List.of(address.substring(0, address.lastIndexOf('.')) + "/24")
                : List.of();
    }

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
