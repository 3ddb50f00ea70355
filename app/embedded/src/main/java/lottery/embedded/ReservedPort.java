package lottery.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A free port on which a server can listen later. Until this object is closed, the system gives the port to no other
 * program that asks for any free port.
 *
 * <p>Without a reservation, another program could take the port before the server listens. A server needs seconds until
 * it listens, and the system chooses free ports from only a few thousand.
 *
 * <p>On Linux, a socket that is bound but does not listen keeps its port from programs that ask for any port. A server
 * that asks for this very port can still listen on it. On other systems such a socket would keep the server away, too.
 * There the port is not reserved; it was only free at the time of the check.
 */
public final class ReservedPort implements AutoCloseable {

    private static final boolean CAN_BE_KEPT = System.getProperty("os.name").equals("Linux");

    private final SocketChannel holder;
    private final int number;

    private ReservedPort(SocketChannel holder, int number) {
        this.holder = holder;
        this.number = number;
    }

    /** Reserves any free port of the loopback address. */
    public static ReservedPort any() throws IOException {
        SocketChannel holder = SocketChannel.open();
        try {
            holder.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            holder.bind(new InetSocketAddress(InetAddress.ofLiteral(ServerPorts.LOOPBACK), 0));
            int number = ((InetSocketAddress) holder.getLocalAddress()).getPort();
            if (!CAN_BE_KEPT) {
                holder.close();
            }
            return new ReservedPort(holder, number);
        } catch (IOException failure) {
            holder.close();
            throw failure;
        }
    }

    public int number() {
        return number;
    }

    @Override
    public void close() {
        try {
            holder.close();
        } catch (IOException ignored) {
            // The reservation ends at the latest when the process ends.
        }
    }
}
