package lottery.app.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.HexFormat;

/** The address by which requests are limited. */
final class CallerAddress {

    private CallerAddress() {}

    /** Returns the address; of an IPv6 address its network of 64 bits, since a caller has all of that. */
    static String of(HttpServletRequest request) {
        String address = request.getRemoteAddr();
        if (address.indexOf(':') < 0) {
            return address;
        }
        byte[] bytes = InetAddress.ofLiteral(address).getAddress();
        return HexFormat.of().formatHex(bytes, 0, bytes.length / 2);
    }
}
